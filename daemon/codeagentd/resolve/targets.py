"""What a name can lead to."""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.model.kinds import Confidence, Origin


class Target(msgspec.Struct, frozen=True, gc=False):
    """Where a name leads: a symbol of the repository, or a namespace that has no symbol (`namespace`), or outside (`EXTERNAL`)."""

    symbol: int = 0
    namespace: str = ""
    confidence: int = int(Confidence.EXACT)
    origin: int = int(Origin.SCOPE)
    instance: bool = False  # a value of the type `symbol`, not the type itself

    def by(self, origin: Origin) -> Target:
        """The same place, reached by another rule."""
        return Target(self.symbol, self.namespace, self.confidence, int(origin), self.instance)


EXTERNAL: Final = Target(namespace="\x00external")  # proved to lie outside the repository
