"""The lines above definitions: how many references they have, and how many tests reach them."""

from __future__ import annotations

from typing import Any, Final

from codeagentd.lsp.definition_places import name_range, place_in
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.positions import Range
from codeagentd.lsp.protocol_types import Command, DocumentParams, Params, Result
from codeagentd.model.file_kinds import holds_tests
from codeagentd.model.kinds import CANDIDATES, TYPES, SymbolKind
from codeagentd.model.labels import CALLABLE
from codeagentd.query.graph.edges import candidates
from codeagentd.query.graph.reference_places import sites
from codeagentd.query.refactor.affected_tests import tests
from codeagentd.query.refactor.changed_symbols import test_blast

LISTED: Final = 500  # definitions of one document
COUNTED: Final = 1_000  # references of one definition
SHOWN: Final = frozenset({*TYPES, *CALLABLE, SymbolKind.PROPERTY, SymbolKind.MACRO})
REFERENCES: Final = "references"
TESTS: Final = "tests"


class CodeLens(Result, frozen=True):
    """A line above a definition; `data` stands for the command until the client asks for it."""

    range: Range
    command: Command | None = None
    data: dict[str, Any] | None = None


class CodeLensParams(Params, frozen=True):
    """A lens to be completed."""

    range: Range
    data: dict[str, Any]


@method("textDocument/codeLens", DocumentParams, is_exact=True)
def code_lenses(context: MethodContext, params: DocumentParams) -> list[CodeLens] | None:
    """Return two lenses for each function and type of a document; they are counted when the client shows them."""
    path = context.path(params.text_document)
    view = context.view(path)
    if not context.features.lenses or not view.is_known:
        return None
    shown = [definition for definition in view.definitions[1:] if definition.kind in SHOWN and definition.symbol]
    kinds = (REFERENCES,) if holds_tests(path) else (REFERENCES, TESTS)
    return [
        CodeLens(
            name_range(context, place_in(context, path, definition)),
            data={"symbol": definition.symbol, "uri": context.uri(path), "of": kind},
        )
        for definition in shown[:LISTED]
        for kind in kinds
    ]


@method("codeLens/resolve", CodeLensParams)
def resolve_lens(context: MethodContext, params: CodeLensParams) -> CodeLens:
    """Return the lens with its count."""
    symbol, kind = params.data.get("symbol"), params.data.get("of")
    subjects = context.subjects([symbol]) if isinstance(symbol, int) else []
    if not subjects:
        return CodeLens(params.range, Command("", ""))
    title = _tests(context, subjects[0].id, subjects[0].path) if kind == TESTS else _references(context, params)
    return CodeLens(params.range, title)


def _references(context: MethodContext, params: CodeLensParams) -> Command:
    """The number of references; where members on receivers of unknown type may be some, at least so many."""
    subject = context.subjects([params.data["symbol"]])[0]
    uses = sites(context.db, [subject], None, COUNTED)
    more = "+" if uses.after or candidates(context.db, subject) > CANDIDATES else ""
    count = len(uses.items)
    title = f"{count}{more} reference{'' if count == 1 and not more else 's'}"
    command = context.features.show_references
    return Command(title, command, [context.uri(subject.path), params.range.start] if command else None)


def _tests(context: MethodContext, symbol: int, path: str) -> Command:
    """The number of tests that reach a definition. None known is said as that, since some calls are not seen."""
    reached, cut = test_blast(context.db, [symbol])
    reaching = [test for test in tests(context.db, [path], [symbol], reached) if test.reached]
    title = (
        f"{len(reaching)}{'+' if cut else ''} test{'' if len(reaching) == 1 else 's'}" if reaching else "no known test"
    )
    return Command(title, "")
