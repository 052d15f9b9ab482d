"""Customers, products, stock, orders, invoices, payments, returns and notes of a wholesaler."""
