"""Totals of a shopping basket, in whole cents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    name: str
    cents: int
    count: int = 1


def subtotal(items):
    """The price of all items before any discount."""
    return sum(item.cents * item.count for item in items)


def discounted(cents, percent):
    """The amount less `percent`, rounded to the nearest cent, halves up."""
    return int(cents * (100 - percent) / 100)


def total(items, percent=0):
    """What the customer pays."""
    return discounted(subtotal(items), percent)
