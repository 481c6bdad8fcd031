"""What a language's own rule of names answers; what it does not say follows the usual rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagentd.model.kinds import Origin

if TYPE_CHECKING:
    from codeagentd.resolve.names import Names
    from codeagentd.resolve.targets import Target
    from codeagentd.resolve.world import File, Symbol


class NameRule:
    """Answers as in resolve.names: EXTERNAL for what is proved to lie outside, None for what is unknown."""

    def imported(self, names: Names, file: File, module: str, name: str) -> Target | None:
        """What `name` of `module` means in `file`; None when the module's file is to be asked."""
        return None

    def declared(self, names: Names, file: File, place: Symbol, text: str) -> Target | None:
        """A name written in a declaration (a base, a type), as seen from the scope around `place`."""
        return names.dotted(place, text)

    def visible(self, names: Names, file: File, place: Symbol, name: str) -> Target | None:
        """A bare name in an expression that stands for a value, as seen from the scope around `place`."""
        return names.in_file(file, place, name)

    def is_type(self, place: Symbol) -> bool:
        """Whether the object itself is the type inside of `place`, not one of its objects."""
        return False

    def free(self, names: Names, file: File, place: Symbol, name: str, called: bool | None) -> Target | None:
        """A bare name that nothing in its file binds, used inside of `place`."""
        return names.wildcard(file, name)

    def own(self, names: Names, owner: int, place: Symbol, name: str, above: bool, called: bool | None) -> Target | None:
        """A member of the object itself inside of `place`, a part of the type `owner`; `above`: one that `owner` inherits."""
        found = names.type_member(owner, name, skip_own=above, called=called)
        return found.by(Origin.SUPER) if found and above else found

    def member(self, names: Names, target: Target, name: str, called: bool | None) -> Target | None:
        """What `.name` on a target means."""
        return names.usual_member(target, name, None, called)
