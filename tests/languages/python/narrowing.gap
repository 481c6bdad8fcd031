What a test of its type says of a local variable that is of one of several types.
=== main.py
class Shelf:
    def lend(self): ...
class Box:
    def lend(self): ...
    def open(self): ...


def several(either: "Shelf | Box"):
    if isinstance(either, Shelf):
        return
    either.lend()                             #@ call -> Box.lend exact


class Holder:
    def use(self):
        if isinstance(self.thing, Box):
            self.thing.open()                 #@ call -> Box.open
