What needs the type of a value, and names that only newer Python binds.
=== main.py
T = int
total = 0


class Shelf:
    def lend(self) -> "Shelf":
        return self

    def __enter__(self): return self


def make() -> Shelf: return Shelf()


def local(shelf: Shelf):
    shelf.lend()
    other = Shelf()
    other.lend()
    make().lend()
    with Shelf() as opened:
        opened.lend()


shared = Shelf()
shared.lend()


def writes():
    global total
    total = 1                                 #@ write -> main.total


def generic[T](x: T) -> T:                    #@ none T
    return x
