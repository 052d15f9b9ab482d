"""Accounts with a UUID for a key and an e-mail address for a name: no ``username``, no ``first_name``, no ``get_full_name``."""

from __future__ import annotations

import uuid

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models


class Colleagues(BaseUserManager["Colleague"]):
    """Makes accounts."""

    def create_user(self, email: str, password: str, **fields: object) -> Colleague:
        """An account with this password."""
        made = self.model(email=self.normalize_email(email), **fields)
        made.set_password(password)
        made.save(using=self._db)
        return made


class Colleague(AbstractBaseUser, PermissionsMixin):
    """Somebody who works here. The part of the address after the @ is their tenant."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(unique=True)
    is_active = models.BooleanField(default=True)
    #: May enter the stock admin.
    is_staff = models.BooleanField(default=False)
    #: May enter the back office.
    is_depot = models.BooleanField(default=False)

    USERNAME_FIELD = "email"
    objects = Colleagues()

    def __str__(self) -> str:
        return self.email
