"""The files that a change of a type's members concerns without mentioning them: those whose members override these, and
those that call subtypes, whose constructors they may be.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection, Mapping

from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.resolve.dispatch import CONSTRUCTION
from codeagentd.store.connection import Database

from .inheritance_index import InheritanceIndex
from .member_dependencies import member_dependency_hashes


def files_that_override(
    database: Database, inheritance: InheritanceIndex, changed: Mapping[int, Collection[int]]
) -> set[int]:
    """The files with members of subtypes that have one of these names. Args: changed: keys of names by type."""
    files = set[int]()
    for type_id, keys in changed.items():
        if subtypes := inheritance.with_subtypes({type_id}) - {type_id}:
            parameters = {"keys": json.dumps([*keys]), "types": json.dumps([*subtypes])}
            files.update(file for (file,) in database.all("world.files_with_members", parameters))
    return files


def files_that_construct(database: Database, inheritance: InheritanceIndex, types: Collection[int]) -> set[int]:
    """The files that call one of these types or a subtype: the members that they have looked up tell."""
    if not types:
        return set()
    hashes = member_dependency_hashes(inheritance, types, key_of(CONSTRUCTION))
    rows = database.all("world.all_member_dependencies")
    return {file for file, known in rows if not hashes.isdisjoint(array("I", known))}
