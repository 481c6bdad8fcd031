"""Whatever the server sends is what the official types of the protocol say, for clients with all features and with none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import attrs
import msgspec
import pytest
from lsprotocol import types

from codeagentd.lsp.client_features import features_of
from codeagentd.lsp.method import METHODS
from codeagentd.model.engine_status import Progress
from codeagentd.serve.lsp.index_progress import IndexProgress
from codeagentd.serve.lsp.server_capabilities import initialize_result
from tests.harness.editor_session import EVERYTHING, EditorSession, editor_session
from tests.harness.protocol_messages import CASES, CONVERTER, Json, check_ranges, names_of, response_type, structured

FILES = {
    "desk.py": '''"""Desks. 😀"""

from shelf import Shelf


class Desk(Shelf):
    """A desk."""

    def lend(self, book: str) -> str:
        """Lend a book."""
        wish = book
        return "😀" + super().lend(wish)


def serve(name: str) -> str:
    return Desk().lend(name)
''',
    "shelf.py": "class Shelf:\n    def lend(self, book: str) -> str:\n        return book\n",
    "square.ts": """export interface Shape { area(): number; }
export class Square implements Shape {
  constructor(private side: number) {}
  area(): number { return this.side * this.side; }
}
const sum = (shapes: Shape[]) => /* 😀 */ shapes.map((shape) => shape.area());
sum([new Square(2)]);
""",
    "desk.go": """package desk

type Lender interface{ Lend(book string) string }

type Desk struct{ open bool }

func (d Desk) Lend(book string) string { return book }

func Serve(lender Lender) string { return lender.Lend("😀") + Desk{}.Lend("x") }
""",
    "desk.c": '#include "desk.h"\n\nint lend(int book)\n{\n\treturn book;\n}\n\nint serve(void) { return lend(1); }\n',
    "desk.h": "int lend(int book);\n",
    "pages.h": "#define PAGES 3\n#define BOOKS (PAGES * 2)\n",  # references in macros are inferred
    "Desk.java": """interface Lender { String lend(String book); }

class Desk implements Lender {
    public String lend(String book) { return book; }
    String serve() { return this.lend("x"); }
}
""",
    "README.md": "# Desks\n\nA `Desk` lends. 😀\n\n## Shelves\n\nText.\n",
    "data.json": '{"name": "desks"}\n',
    "notes.xyz": "not a language\n",
}
LINKED = {
    **EVERYTHING,
    "textDocument": {**EVERYTHING["textDocument"], "definition": {"linkSupport": True}},
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
}
CLIENTS: dict[str, Json] = {  # by what is different
    "all features in utf-16": EVERYTHING,
    "links in utf-8": LINKED,
    "no features in utf-32": {"general": {"positionEncodings": ["utf-32"]}},
}
OPTIONS = {"inlayHints": True, "showReferencesCommand": "editor.showReferences"}

# the methods that a capability announces: the client may send them, and no others
ANNOUNCED = {
    "call_hierarchy_provider": [
        "textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls",
    ],
    "code_lens_provider": ["textDocument/codeLens"],
    "code_lens_provider.resolve_provider": ["codeLens/resolve"],
    "completion_provider": ["textDocument/completion"],
    "completion_provider.resolve_provider": ["completionItem/resolve"],
    "declaration_provider": ["textDocument/declaration"],
    "definition_provider": ["textDocument/definition"],
    "document_highlight_provider": ["textDocument/documentHighlight"],
    "document_symbol_provider": ["textDocument/documentSymbol"],
    "folding_range_provider": ["textDocument/foldingRange"],
    "hover_provider": ["textDocument/hover"],
    "implementation_provider": ["textDocument/implementation"],
    "inlay_hint_provider": ["textDocument/inlayHint"],
    "inlay_hint_provider.resolve_provider": ["inlayHint/resolve"],
    "references_provider": ["textDocument/references"],
    "rename_provider": ["textDocument/rename"],
    "rename_provider.prepare_provider": ["textDocument/prepareRename"],
    "selection_range_provider": ["textDocument/selectionRange"],
    "semantic_tokens_provider.full": ["textDocument/semanticTokens/full"],
    "semantic_tokens_provider.range": ["textDocument/semanticTokens/range"],
    "semantic_tokens_provider": [],
    "signature_help_provider": ["textDocument/signatureHelp"],
    "type_definition_provider": ["textDocument/typeDefinition"],
    "type_hierarchy_provider": [
        "textDocument/prepareTypeHierarchy", "typeHierarchy/supertypes", "typeHierarchy/subtypes",
    ],
    "workspace_symbol_provider": ["workspace/symbol"],
    "workspace_symbol_provider.resolve_provider": ["workspaceSymbol/resolve"],
}  # fmt: skip
NO_METHODS = {"position_encoding", "text_document_sync", "workspace"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EditorSession]:
    with editor_session(tmp_path_factory.mktemp("lsp"), FILES, begun=False) as window:
        yield window


@pytest.fixture(scope="module", params=[False, True], ids=["saved", "unsaved"])
def unsaved(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module", params=CLIENTS)
def window(request: pytest.FixtureRequest, desk: EditorSession, unsaved: bool) -> Iterator[EditorSession]:
    with desk.beside() as window:
        window.initialize(CLIENTS[request.param], initializationOptions=OPTIONS)
        for path in FILES if unsaved else ():
            window.open(path, text_of(path, unsaved=True))
        yield window


def text_of(path: str, *, unsaved: bool) -> str:
    """A text in which everything is one line lower, so that its index is of no use."""
    return ("\n" if unsaved else "") + FILES[path]


def test_every_method_has_a_case() -> None:
    assert set(CASES) == set(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_every_answer_is_of_the_official_type(window: EditorSession, unsaved: bool, method: str) -> None:
    encoding = str(window.session._features.encoding)  # type: ignore[union-attr]
    answered = 0
    for path in FILES:
        names = names_of(text_of(path, unsaved=unsaved), encoding)
        for params in CASES[method](window, path, names):
            answer = window.answer(method, **params)
            if "error" in answer:
                structured(answer, types.ResponseErrorMessage)
                assert method == "textDocument/rename", answer  # of what has no name that can be changed
            else:
                structured(answer, response_type(method))
                check_ranges(answer["result"])
                answered += bool(answer["result"])
    assert answered, "no answer has anything in it"


@pytest.mark.parametrize("client", CLIENTS)
def test_the_answer_to_initialize_is_of_the_official_type(desk: EditorSession, client: str) -> None:
    with desk.beside() as window:
        result = structured(window.answer("initialize", capabilities=CLIENTS[client]), types.InitializeResponse).result
        (encoding, *_) = CLIENTS[client]["general"]["positionEncodings"]
        assert result.capabilities.position_encoding == encoding
        structured(window.answer("shutdown"), types.ShutdownResponse)


def test_errors_are_of_the_official_type(window: EditorSession) -> None:
    for method, params in (
        ("textDocument/definition", {"textDocument": {"uri": "file:///nowhere/else.py"}}),
        ("textDocument/definition", {}),
        ("textDocument/nothing", {}),
        ("initialize", {"capabilities": {}}),
    ):
        answer = structured(window.answer(method, **params), types.ResponseErrorMessage)
        assert answer.error is not None
        assert answer.error.message


def test_what_is_announced_is_served_and_the_reverse() -> None:
    sent = initialize_result(features_of({"capabilities": EVERYTHING}))["capabilities"]
    capabilities = CONVERTER.structure(sent, types.ServerCapabilities)
    announced = set()
    for name in (field.name for field in attrs.fields(types.ServerCapabilities)):
        provider = getattr(capabilities, name)
        if not provider or name in NO_METHODS:
            continue
        assert name in ANNOUNCED, f"which methods {name} announces is not known"
        announced |= set(ANNOUNCED[name])
        for whole_name, methods in ANNOUNCED.items():
            owner, _, option = whole_name.partition(".")
            if owner == name and option and getattr(provider, option, False):
                announced |= set(methods)
    assert announced == set(METHODS)


def test_notices_are_of_the_official_type(desk: EditorSession) -> None:
    with desk.beside() as window:
        window.initialize({})
        window.at("rename", "desk.py", 14, 5, newName="Shelf")  # which is a name there already
        told = [json.loads(payload) for _, _, ack, payload in window.sent if not ack and payload]
    assert [message["method"] for message in told] == ["window/showMessage"]
    structured(told[0], types.ShowMessageNotification)


def test_diagnostics_are_of_the_official_type(desk: EditorSession) -> None:
    with desk.beside() as window:
        window.initialize({"textDocument": {"publishDiagnostics": {}}})
        window.open("desk.py", FILES["shelf.py"])
        window.change("desk.py", 2, {"text": ""})
        told = [json.loads(payload) for _, _, ack, payload in window.sent if not ack and payload]
    found = [structured(message, types.PublishDiagnosticsNotification).params for message in told]
    assert [(sent.version, sent.diagnostics) for sent in found] == [(1, ()), (2, ())]


def test_the_reports_of_an_index_in_the_making_are_of_the_official_type(monkeypatch: pytest.MonkeyPatch) -> None:
    for pace in ("PACE_S", "PATIENCE_S"):
        monkeypatch.setattr(f"codeagentd.serve.lsp.index_progress.{pace}", 0.0)
    told: list[Json] = []

    async def index() -> None:
        looks = iter([Progress("parse", 1, 3), Progress("parse", 2, 3)])
        is_told = asyncio.Event()

        def tell(message: Json) -> None:
            told.append(json.loads(msgspec.json.encode(message)))
            is_told.set()

        progress = IndexProgress(tell, lambda: next(looks, Progress("parse", 3, 0)))
        progress.start()
        await is_told.wait()
        progress.on_created(is_accepted=True)
        while told[-1].get("params", {}).get("value", {}).get("kind") != "end":
            is_told.clear()
            await is_told.wait()

    asyncio.run(index())
    assert structured(told[0], types.WorkDoneProgressCreateRequest).params.token
    kinds = {
        "begin": types.WorkDoneProgressBegin,
        "report": types.WorkDoneProgressReport,
        "end": types.WorkDoneProgressEnd,
    }
    for message in told[1:]:
        structured(message, types.ProgressNotification)
        value = message["params"]["value"]
        structured(value, kinds[value["kind"]])
    assert [message["params"]["value"]["kind"] for message in told[1:]] == ["begin", "report", "end"]
