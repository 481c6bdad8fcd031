"""C#: the choice among functions by a call's type arguments, and by the functions that it passes as delegates.

Source: standard ECMA-334, 12.5 and 12.6.4.
"""

from __future__ import annotations

import re
from typing import Final

from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.resolve.symbol_table import Symbol, SymbolTable

_MODE: Final = r"(?:(?:scoped|ref|in|readonly)\s+)*"  # modifiers in front of a type: how it is passed
# type arguments inside each other to a depth; each can be divided in one way only
_TYPES: Final = r"<[^<>()]*+(?:<[^<>()]*+(?:<[^<>()]*+(?:<[^<>()]*+>[^<>()]*+)*+>[^<>()]*+)*+>[^<>()]*+)*+>"
# parameters of which the first marks the method as called on its values
EXTENDED: Final = re.compile(rf"\(\s*(?:\[[^\]]*\]\s*)*{_MODE}this\s+{_MODE}((?:[^\s<>,()]|{_TYPES})++)\s+@?\w+\s*[,)]")
# a parameter; the name of its type and the type arguments, of an expression tree those inside
DELEGATE: Final = re.compile(
    r"(?:\w+\s+)*?(?:[\w.]*\bExpression<)?(?:\w+\.)*(\w+)(?:<(.*?)>)?>?\??\s+@?\w+(?:\s*=.*)?$", re.DOTALL
)
_TYPE_PARAMETERS: Final = re.compile(r"<([^<>]*)>$")
_OF_INTERFACE: Final = re.compile(r"\.\s*(?:<[^<>]*>)?$")
_EXPLICIT: Final = re.compile(r"(\w+)\s*(?:<.*>)?\s*\.\s*(?:<[^<>]*>)?$", re.DOTALL)
_HEAD: Final = re.compile(r"(?:[\w.]+\.)?(\w+)")  # the name of a written type, without what it stands in


def type_parameters(symbol: Symbol) -> list[str]:
    """The names of the type parameters of `symbol`."""
    result = _TYPE_PARAMETERS.search(symbol.head) if symbol.head else None
    return [parameter.split()[-1] for parameter in result[1].split(",") if parameter.strip()] if result else []


def type_arity(symbol: Symbol) -> int:
    """The number of type parameters of `symbol`."""
    return len(type_parameters(symbol))


def is_explicit(symbol: Symbol) -> bool:
    """Whether `symbol` implements a member of an interface explicitly, so that only the interface has it: `void
    IHold.Fill()` (18.6.2).
    """
    return _OF_INTERFACE.search(symbol.head) is not None


def explicit_interface(symbol: Symbol) -> str:
    """The name of the only interface whose member a member implements; '' where it names none."""
    match = _EXPLICIT.search(symbol.head)
    return match[1] if match else ""


def can_be_given(function: Symbol, types: int) -> bool:
    """Whether `function` has as many type parameters as a call has type arguments, `types`; True for a call without
    any.
    """
    return not types or type_arity(function) == types


def may_hold_delegate(world: SymbolTable, value: Symbol) -> bool:
    """Whether the variable or property `value` may be called: its type is a delegate, or no type of the repository."""
    match = _HEAD.match(value.returns or value.type)
    return match is None or _may_be_delegate(world, match[1], world.file(value.file).language)


def _may_be_delegate(world: SymbolTable, name: str, language: str) -> bool:
    """Whether a type of this name is a delegate, or none of the repository."""
    kinds = [symbol.kind for symbol in world.named(name, language) if symbol.kind in TYPES]
    return not kinds or SymbolKind.DELEGATE in kinds
