What only a place inside of a function or class body knows.
=== base.py
class Shelf:
    def lend(self): ...
=== main.py
def make():
    from base import Shelf
    class Low(Shelf): ...
    return Low()


class shelf:
    def lend(self): ...
class Node:
    held: "shelf | None" = None
    other: shelf = None                       #@ type -> main.shelf exact
    @property
    def shelf(self): ...


make().lend()                                 #@ call -> base.Shelf.lend
class Limited:
    LIMIT = 3
    def lend(self, n=LIMIT): ...              #@ read -> Limited.LIMIT
