"""Corrections of stock, and who may change credit limits."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("wholesale", "0001_initial"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="customer",
            options={
                "ordering": ["name"],
                "permissions": [
                    ("view_credit_limit", "Can see credit limits"),
                    ("change_credit_limit", "Can change credit limits"),
                ],
            },
        ),
        migrations.CreateModel(
            name="StockCorrection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("corrected_at", models.DateTimeField()),
                ("corrected_by", models.CharField(max_length=150)),
                ("quantity_before", models.PositiveIntegerField()),
                ("quantity_after", models.PositiveIntegerField()),
                (
                    "reason",
                    models.CharField(
                        choices=[("counted", "Counted"), ("damaged", "Damaged"), ("lost", "Lost"), ("found", "Found")],
                        max_length=10,
                    ),
                ),
                (
                    "stock",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="corrections", to="wholesale.stock"
                    ),
                ),
            ],
            options={
                "ordering": ["-corrected_at"],
            },
        ),
    ]
