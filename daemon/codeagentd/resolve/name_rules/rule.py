"""What a language's own rule of names answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from codeagentd.resolve.names import Names
    from codeagentd.resolve.targets import Target
    from codeagentd.resolve.world import File, Symbol


class NameRule(Protocol):
    """Answers as in resolve.names: EXTERNAL for what is proved to lie outside, None for what is unknown. `use` is one of resolve.namesakes."""

    def imported(self, names: Names, file: File, module: str, name: str, use: int = 0) -> Target | None:
        """What `name` of `module` means in `file`; None when the module's file is to be asked."""

    def head(self, names: Names, file: File, place: Symbol, name: str) -> Target | None:
        """The first name of an expression in a declaration, as seen from the scope around `place`."""

    def free(self, names: Names, file: File, place: Symbol, name: str, use: int = 0) -> Target | None:
        """A bare name that nothing in its file binds, used inside of `place`."""

    def bound(self, names: Names, file: File, place: Symbol, found: Symbol, name: str, use: int = 0) -> Target | None:
        """What a bare name means inside of `place` that its own file binds to `found`."""

    def demanded(self, names: Names, file: File, place: Symbol, module: str, name: str, use: int = 0) -> Target | None:
        """What an import of everything in `module` brings in under a name, where the import stands around `place`."""

    def hiding(self, names: Names, place: Symbol, name: str, use: int = 0) -> Target | None:
        """What hides an imported name inside of `place`."""

    def beyond(self, names: Names, place: Symbol, target: Target, name: str, use: int = 0) -> Target | None:
        """What `.name` means inside of `place` on a namespace, on what lies outside, or on a type or value whose type has no such member."""

    def unknown(self, names: Names, place: Symbol, name: str, use: int = 0) -> Target | None:
        """What `.name` means inside of `place` on something of which nothing is known."""
