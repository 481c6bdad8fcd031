What needs the type of a value, and names that only newer Python binds.
=== main.py
T = int
total = 0


class Shelf:
    def lend(self) -> "Shelf":
        return self

    @classmethod
    def make(cls):
        return cls().lend()                   #@ call -> Shelf.lend

    def __enter__(self): return self


def make() -> Shelf: return Shelf()


def local(shelf: Shelf):
    shelf.lend()                              #@ call -> Shelf.lend from local
    other = Shelf()
    other.lend()                              #@ call -> Shelf.lend from local
    make().lend()                             #@ call -> Shelf.lend from local
    with Shelf() as opened:
        opened.lend()                         #@ call -> Shelf.lend from local


shared = Shelf()
shared.lend()                                 #@ call -> Shelf.lend


def writes():
    global total
    total = 1                                 #@ write -> main.total


def generic[T](x: T) -> T:                    #@ none T
    return x
