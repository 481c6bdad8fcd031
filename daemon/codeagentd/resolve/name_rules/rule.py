"""What a language's own rule of names answers; what it does not say follows the usual rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeagentd.resolve.names import Names
    from codeagentd.resolve.targets import Target
    from codeagentd.resolve.world import File, Symbol


class NameRule:
    """Answers as in resolve.names: EXTERNAL for what is proved to lie outside, None for what is unknown."""

    def imported(self, names: Names, file: File, module: str, name: str) -> Target | None:
        """What `name` of `module` means in `file`; None when the module's file is to be asked."""
        return None

    def free(self, names: Names, file: File, place: Symbol, name: str) -> Target | None:
        """A bare name that nothing in its file binds, used inside of `place`."""
        return names.wildcard(file, name)
