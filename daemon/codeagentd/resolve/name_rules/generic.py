"""Generic languages: a name refers to the definitions of that name, whatever the scopes and modules of the language
are.
"""

from __future__ import annotations

from codeagentd.model.kinds import CANDIDATES, OUTLINE, Confidence, Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import Target, TargetKind
from codeagentd.resolve.usage import ANY, Usage

from .rule import NameRule


class GenericNames(NameRule):
    """The name rule of generic languages: nothing in it is ever proved."""

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The definitions of `name` in `file`, else those of other files in the same language: one is inferred, a few
        are ambiguous, and of many none is meant.
        """
        known = names.symbols_where(file.language, name, _is_code)
        chosen = [symbol for symbol in known if symbol.file == file.id] or known
        if len(chosen) == 1:
            return _target(chosen[0], Confidence.INFERRED, Origin.UNIQUE_NAME)
        if not chosen or len(chosen) > CANDIDATES:
            return None
        alternatives = tuple(_target(symbol, Confidence.AMBIGUOUS, Origin.SAME_NAME) for symbol in chosen)
        return Target(kind=TargetKind.UNION, alternatives=alternatives, confidence=int(Confidence.AMBIGUOUS))


def _target(symbol: Symbol, confidence: Confidence, origin: Origin) -> Target:
    return Target(symbol.id, confidence=int(confidence), origin=int(origin))


def _is_code(symbol: Symbol) -> bool:
    return symbol.parent != 0 and symbol.kind not in OUTLINE
