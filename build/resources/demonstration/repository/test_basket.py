import unittest

from basket import Item, discounted, subtotal, total

BASKET = [Item("bread", 349), Item("milk", 119, count=3), Item("cheese", 799)]


class Subtotal(unittest.TestCase):
    def test_counts_every_item(self):
        self.assertEqual(subtotal(BASKET), 1505)

    def test_of_nothing_is_nothing(self):
        self.assertEqual(subtotal([]), 0)


class Discount(unittest.TestCase):
    def test_without_a_discount_the_price_stays(self):
        self.assertEqual(discounted(1505, 0), 1505)

    def test_rounds_to_the_nearest_cent(self):
        self.assertEqual(discounted(995, 15), 846)
        self.assertEqual(discounted(1505, 15), 1279)

    def test_rounds_halves_up(self):
        self.assertEqual(discounted(1505, 10), 1355)


class Total(unittest.TestCase):
    def test_of_a_basket_with_a_discount(self):
        self.assertEqual(total(BASKET, percent=15), 1279)


if __name__ == "__main__":
    unittest.main()
