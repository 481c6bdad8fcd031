Names that one of several imports binds, as other files and declared types see them; what is bound on one line and used as a module on the next.
=== base.py
class Shelf:
    def lend(self): ...
def speed(): ...
=== other.py
class Shelf:
    def lend(self): ...
def speed(): ...
=== fallback.py
try:
    from base import speed, Shelf
except ImportError:
    from other import speed, Shelf
speed()                                       #@ call -> base.speed, other.speed ambiguous
def use(shelf: Shelf):
    shelf.lend()                              #@ call -> base.Shelf.lend inferred
=== user.py
from fallback import speed                    #@ import -> base.speed inferred
speed()                                       #@ call -> base.speed inferred
=== outside.py
try:
    from elsewhere import speed
except ImportError:
    from base import speed
speed()                                       #@ call -> base.speed
=== build.py
import base
class base(base.Shelf):                       #@ inherit -> base.Shelf exact
    def go(self): self.lend()                 #@ call -> base.Shelf.lend
=== merge.py
<<<<<<< ours                                  #@ none
def ours():
    return 1
=======
def theirs():
    return 1
>>>>>>> theirs                                #@ none
=== unclosed.py
def start():
    return 1
text = """start()                             #@ none
