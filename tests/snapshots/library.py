"""The repository that answers in snapshots are about."""

from __future__ import annotations

LIBRARY = {
    "library/books.py": '''class Book:
    """A thing to read. It has pages."""

    def __init__(self, title):
        self.title = title

    def spine(self):
        return self.title.upper()


class Atlas(Book):
    def spine(self):
        return "map of " + super().spine()
''',
    "library/loans.py": '''from library.books import Book
from library.fines import fine


class Loan:
    def __init__(self, book: Book, days: int):
        self.book = book
        self.days = days

    def give_back(self):
        """What a reader owes when the book comes back."""
        return fine(self.days)


def lend(title):
    return Loan(Book(title), 14)
''',
    "library/fines.py": '''RATE = 2


def fine(days):
    """What a late book costs."""
    return days * RATE
''',
    "desk/counter.py": """from library.loans import lend


def serve(title):
    return lend(title).give_back()
""",
    "tests/test_counter.py": """from desk.counter import serve


def test_serving():
    assert serve("Emma") == 28
""",
}
