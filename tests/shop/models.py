"""Two tables that tools read."""

from __future__ import annotations

from django.db import models


class Customer(models.Model):
    name = models.CharField(max_length=100)
    credit_limit = models.DecimalField(max_digits=10, decimal_places=2, default=0)
    #: On no card.
    phone = models.CharField(max_length=30, blank=True)

    def __str__(self) -> str:
        return self.name


class Order(models.Model):
    number = models.CharField(max_length=20, unique=True)
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)
    status = models.CharField(max_length=20, default="open")
    note = models.TextField(blank=True)
    total = models.DecimalField(max_digits=10, decimal_places=2, default=0)

    def __str__(self) -> str:
        return self.number
