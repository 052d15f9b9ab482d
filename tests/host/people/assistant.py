"""Tools that work only inside the host's surroundings."""

from __future__ import annotations

from deskhand.tools import Change, Preview, tool
from tests.host import tenants
from tests.shop.models import Customer


@tool(permission="shop.view_customer", reads=True)
def whose_depot() -> str:
    """Name of the tenant that is worked for."""
    return f"This is {tenants.current()}."


@tool(permission="shop.change_customer", writes=True, title="Move customer")
def move_customer(customer: int) -> None:
    """Moves a customer to the tenant that is worked for."""
    Customer.objects.filter(pk=customer).update(phone=tenants.current())


@move_customer.preview
def _move_card(customer: int) -> Preview:
    row = Customer.objects.get(pk=customer)
    return Preview(
        title=f"Move {row.name} to {tenants.current()}",
        target=row,
        changes=[Change("Phone", row.phone, tenants.current())],
        rows=[row],
    )
