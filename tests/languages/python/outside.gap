The first place where a method sets a property of an ancestor counts as the definition of a field.
=== main.py
class Base:
    @property
    def title(self): ...
    @title.setter
    def title(self, value): ...


class Low(Base):
    def __init__(self):
        self.title = "a"                      #@ write -> Base.title exact
