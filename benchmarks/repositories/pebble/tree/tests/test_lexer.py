import unittest

from pebble import PebbleSyntaxError
from pebble.lexer import tokenize


def values(source):
    return [token.value for token in tokenize(source)[:-1]]


class LexerTest(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual(values("1 1_000 2.5 .5 1e3 2E-1"), [1, 1000, 2.5, 0.5, 1000.0, 0.2])

    def test_int_stays_int(self):
        self.assertIsInstance(values("10")[0], int)

    def test_attribute_after_number(self):
        self.assertEqual(values("x[0].y"), ["x", "[", 0, "]", ".", "y"])

    def test_number_into_name(self):
        with self.assertRaises(PebbleSyntaxError):
            tokenize("12ab")

    def test_longest_operator(self):
        self.assertEqual(values("a**b//c<=d|>e"), ["a", "**", "b", "//", "c", "<=", "d", "|>", "e"])

    def test_comments(self):
        self.assertEqual(values("1 # one\n2"), [1, 2])

    def test_raw_text(self):
        self.assertEqual(values(r"'it''s \n'"), [r"it's \n"])

    def test_template(self):
        self.assertEqual(values('"a ${b} c"'), [["a ", ("b", 1, 6), " c"]])

    def test_template_with_braces_inside(self):
        self.assertEqual(values("\"${ {a: '}'} }\""), [[(" {a: '}'} ", 1, 4)]])

    def test_escapes(self):
        self.assertEqual(values(r'"a\n\"\${b}"'), [['a\n"${b}']])
        with self.assertRaises(PebbleSyntaxError):
            tokenize(r'"\q"')

    def test_positions(self):
        tokens = tokenize("a\n  'x\ny' b")
        self.assertEqual([(t.line, t.column) for t in tokens], [(1, 1), (2, 3), (3, 4), (3, 5)])

    def test_unclosed_text_points_to_its_start(self):
        with self.assertRaises(PebbleSyntaxError) as caught:
            tokenize("a\n 'x\n\n")
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 2))

    def test_unknown_character(self):
        with self.assertRaisesRegex(PebbleSyntaxError, "1:3: unexpected"):
            tokenize("a @")


if __name__ == "__main__":
    unittest.main()
