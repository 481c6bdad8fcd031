"""The renaming of what is under the cursor, by the same plan as the tool plan_rename."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import NotFound
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import NameAt, meanings, name_at
from codeagentd.lsp.positions import Range
from codeagentd.lsp.protocol_types import PositionParams, Result, TextEdit
from codeagentd.lsp.uses import uses_in
from codeagentd.model.documents import Place
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, Confidence, SymbolKind
from codeagentd.model.results.graph_results import AMBIGUOUS
from codeagentd.query.refactor.edit_locations import RENAME_FILE
from codeagentd.query.refactor.name_families import name_family
from codeagentd.query.refactor.new_names import check_local_name, check_new_name
from codeagentd.query.refactor.rename_plan import (
    DASHED,
    IN_SHORT,
    SAME_WORD,
    is_written_in_short,
    renaming,
    written_out,
)
from codeagentd.query.symbols.lookup import Subject, with_constructors

SEVERAL: Final = "may refer to it: several have this name"
MOST_REASONS: Final = 20  # kinds of doubtful edits that are asked about apart

Edits = dict[str, list[TextEdit]]  # by path


class PreparedRename(Result, frozen=True):
    """The name that would be renamed, and its text."""

    range: Range
    placeholder: str


class RenameParams(PositionParams, frozen=True):
    """The parameters of textDocument/rename."""

    new_name: str


class ChangeAnnotation(Result, frozen=True):
    """Why an edit is doubtful; the client asks before it applies such edits."""

    label: str
    needs_confirmation: bool
    description: str = ""


@method("textDocument/prepareRename", PositionParams, is_exact=True)
def prepare_rename(context: MethodContext, params: PositionParams) -> PreparedRename | None:
    """Return the name at a position if it can be renamed; None if it cannot."""
    path = context.path(params.text_document)
    name = name_at(context, path, params.position)
    if name is None or not _is_renamable(name):
        return None
    return PreparedRename(context.range(path, name.place, len(name.text)), name.text)


@method("textDocument/rename", RenameParams, is_exact=True)
def rename(context: MethodContext, params: RenameParams) -> dict[str, Any] | None:
    """Return the edits that rename what is at a position. What is sure is edited; places that may mean it, or have the
    word in their text, are edits that need confirmation, or are left out where the client cannot ask.

    Errors: not_found where there is nothing to rename; invalid_parameter for a name that is no identifier there.
    """
    path = context.path(params.text_document)
    name = name_at(context, path, params.position)
    if name is None or not _is_renamable(name):
        raise NotFound("nothing that can be renamed is here", remedy="place the cursor on a name of this repository")
    new = params.new_name
    if name.variable or not name.subjects:
        check_local_name(name.view.language, name.text, new)
        uses = uses_in(context, name.view, name)
        edits = {path: [TextEdit(context.range(path, use.place, use.length), new) for use in uses]}
        return _workspace_edit(context, edits, {}, {})
    return _planned(context, name, new)


def _is_renamable(name: NameAt) -> bool:
    if name.variable:
        return not name.variable.is_import
    meaning = name.meanings[0] if name.meanings else None
    return (
        meaning is not None
        and name.confidence != Confidence.AMBIGUOUS
        and meaning.target != 0
        and (meaning.subject is None or meaning.subject.id > 0)
        and meaning.kind not in SCOPES_OF_NAMES
        and meaning.name == name.text
    )


def _renamed(context: MethodContext, subject: Subject) -> Subject:
    """The symbol that is renamed: for a constructor that has the name of its type, the type."""
    if subject.kind != SymbolKind.CONSTRUCTOR or subject.parent is None:
        return subject
    return next((owner for owner in context.subjects([subject.parent]) if owner.name == subject.name), subject)


def _with_family(context: MethodContext, name: NameAt, subject: Subject) -> NameAt:
    """The name as one that means all that is renamed along with `subject`: constructors, what it overrides, and what
    overrides it.
    """
    constructors = with_constructors(context.db, subject)[1:] if subject.kind in TYPES else []
    named_alike = [constructor.id for constructor in constructors if constructor.name == subject.name]
    related = name_family(context.db, subject).items()
    family = [symbol for symbol, (confidence, _) in related if confidence < Confidence.AMBIGUOUS]
    return name._replace(meanings=meanings(context, name.view, [subject.id, *named_alike, *family]))


def _planned(context: MethodContext, name: NameAt, new: str) -> dict[str, Any]:
    subject = _renamed(context, name.subjects[0])
    check_new_name(subject, new)
    plan = renaming(context.db, subject, new, context.ctx.lines)
    if plan.collisions:
        context.notices.append(f"{new}: {'; '.join(plan.collisions)}")
    sure: Edits = defaultdict(list)
    doubtful: dict[str, Edits] = defaultdict(lambda: defaultdict(list))
    files: dict[str, str] = {}
    for site in plan.edits:
        if site.file not in context.overlays:
            sure[site.file].append(_edit(context, site.file, site.line, site.column, subject.name, new))
    for site in plan.review:
        reason, in_short, text = site.reason.partition(IN_SHORT)
        if site.reason.startswith(RENAME_FILE):
            folder, slash, _ = site.file.rpartition("/")
            files[site.file] = f"{folder}{slash}{site.reason.removeprefix(RENAME_FILE).partition(':')[0]}"
        elif site.file in context.overlays or (reason in (SAME_WORD, DASHED) and site.confidence == AMBIGUOUS):
            continue  # a word that other members have, too: nobody would look through all of its places
        elif context.lines(site.file).line(site.line).startswith(subject.name, site.column):
            edits = sure if in_short and site.confidence != AMBIGUOUS else doubtful[reason]
            edits[site.file].append(
                _edit(context, site.file, site.line, site.column, subject.name, text if in_short else new)
            )
    family = _with_family(context, name, subject) if context.overlays else name
    for path, view in context.overlays.items():
        for use in uses_in(context, view, family):
            line, column = use.place.line, use.place.column
            if not view.lines.line(line).startswith(subject.name, column):
                continue
            is_short = is_written_in_short(subject, view.lines.all, path, line, column)
            edits = sure if use.confidence < Confidence.AMBIGUOUS else doubtful[SEVERAL]
            text = written_out(subject, new) if is_short else new
            edits[path].append(_edit(context, path, line, column, subject.name, text))
    return _workspace_edit(context, sure, doubtful, files)


def _edit(context: MethodContext, path: str, line: int, column: int, old: str, new: str) -> TextEdit:
    return TextEdit(context.range(path, Place(line, column), len(old)), new)


def _workspace_edit(
    context: MethodContext, sure: Edits, doubtful: dict[str, Edits], files: dict[str, str]
) -> dict[str, Any]:
    """The edits as a WorkspaceEdit: with versions and annotations where the client has them."""
    features = context.features
    sure = {path: list(dict.fromkeys(edits)) for path, edits in sure.items()}
    if not features.document_changes:
        _notice_of_doubts(context, doubtful)
        return {"changes": {context.uri(path): edits for path, edits in sure.items()}}
    if not features.annotations:
        _notice_of_doubts(context, doubtful)
        doubtful, files = {}, {}
    annotations: dict[str, ChangeAnnotation] = {}
    edits: Edits = defaultdict(list, sure)
    for number, (reason, places) in enumerate(list(doubtful.items())[:MOST_REASONS]):
        key = f"codeagentd.{number}"
        annotations[key] = ChangeAnnotation(reason, needs_confirmation=True)
        for path, doubts in places.items():
            known = {edit.range for edit in edits[path]}
            edits[path] += [
                msgspec.structs.replace(edit, annotation_id=key) for edit in doubts if edit.range not in known
            ]
    changes: list[dict[str, Any]] = [
        {"textDocument": {"uri": context.uri(path), "version": context.version(path)}, "edits": _ordered(listed)}
        for path, listed in sorted(edits.items())
    ]
    if features.renames_files:
        annotations |= {"codeagentd.files": ChangeAnnotation(RENAME_FILE.strip(), True)} if files else {}
        changes += [
            {
                "kind": "rename", "oldUri": context.uri(old), "newUri": context.uri(new),
                "annotationId": "codeagentd.files",
            }
            for old, new in files.items()
        ]  # fmt: skip
    result: dict[str, Any] = {"documentChanges": changes}
    return result | ({"changeAnnotations": annotations} if annotations else {})


def _ordered(edits: list[TextEdit]) -> list[TextEdit]:
    return sorted(edits, key=lambda edit: edit.range.start)


def _notice_of_doubts(context: MethodContext, doubtful: dict[str, Edits]) -> None:
    count = sum(len(edits) for places in doubtful.values() for edits in places.values())
    if count:
        context.notices.append(
            f"{count} more places may mean it and were left as they are: `codeagentd refactor plan` lists them"
        )
