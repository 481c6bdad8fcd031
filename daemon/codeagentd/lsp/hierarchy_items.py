"""The items of call and type hierarchies: symbols that the client sends back to go on from."""

from __future__ import annotations

from typing import Any

from codeagentd.model.ids import node_id, uid_of
from codeagentd.query.symbols.lookup import Subject

from .definition_places import places_of, whole_range
from .method_context import MethodContext
from .name_at import Meaning
from .positions import Range
from .protocol_types import Params, Result
from .symbol_kinds import symbol_kind


class HierarchyItem(Result, frozen=True):
    """A symbol of a hierarchy. `data` has its id."""

    name: str
    kind: int
    uri: str
    range: Range
    selection_range: Range
    detail: str = ""
    data: dict[str, Any] = {}


class SentItem(Params, frozen=True):
    """An item that the client sends back."""

    name: str
    data: dict[str, Any] = {}


class ItemParams(Params, frozen=True):
    """The parameters of a step of a hierarchy."""

    item: SentItem


def item_of(context: MethodContext, meaning: Meaning) -> HierarchyItem | None:
    """Return the item of a symbol; None for one that the index does not have, or that lies outside of the
    repository.
    """
    places = places_of(context, meaning)
    if not places or meaning.subject is None:
        return None
    place = places[0]
    return HierarchyItem(
        meaning.name, symbol_kind(meaning.kind), context.uri(place.path), whole_range(context, place),
        context.range(place.path, place.place, place.length), meaning.subject.qualified_name,
        {"id": node_id(meaning.subject.uid)},
    )  # fmt: skip


def item_at(context: MethodContext, uid: bytes) -> HierarchyItem | None:
    """Return the item of the symbol with this id; None where there is none."""
    row = context.db.row("symbols.by_uid", (uid,))
    return item_of(context, meaning_of(context, Subject(*row))) if row else None


def subject_of(context: MethodContext, item: SentItem) -> Subject | None:
    """Return the symbol of an item that the client sends back; None for one that is gone."""
    sent = item.data.get("id")
    uid = uid_of(sent) if isinstance(sent, str) else None
    row = context.db.row("symbols.by_uid", (uid,)) if uid else None
    return Subject(*row) if row else None


def meaning_of(context: MethodContext, subject: Subject) -> Meaning:
    """Return a symbol of the index, with its definition in the text that the editor sees."""
    overlay = context.overlays.get(subject.path)
    return Meaning(
        subject.id, subject.path, subject.name, subject, overlay.definition_of(subject.id) if overlay else None
    )
