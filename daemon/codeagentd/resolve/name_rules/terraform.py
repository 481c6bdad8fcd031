"""Terraform: the files of one folder are one module, and everything in them is known by its address.

Source: Terraform language, "Files and Directories", "References to Named Values".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagentd.model.kinds import Origin
from codeagentd.resolve.module_rules.terraform import siblings
from codeagentd.resolve.targets import Target
from codeagentd.resolve.world import File, Symbol

from .rule import NameRule

if TYPE_CHECKING:
    from codeagentd.resolve.names import Names


class TerraformNames(NameRule):
    """Addresses of the folder's other files."""

    def free(self, names: Names, file: File, place: Symbol, name: str) -> Target | None:
        """What any file of the folder declares under this address."""
        found = [symbol for other in siblings(names.world, file) for symbol in names.world.members(other.symbol).get(name, ())]
        return names.pick(found, Origin.NAMESPACE) if found else None
