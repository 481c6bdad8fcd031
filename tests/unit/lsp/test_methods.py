"""What an editor gets for positions of a document, saved or not."""

from __future__ import annotations

import pytest

from tests.harness.editor_session import EVERYTHING, editor_session

SHELF = '''"""Shelves."""


class Shelf:
    """A shelf of books."""

    def lend(self, book, days=14):
        """Lend a book."""
        return Loan(book, days)


class Loan:
    def __init__(self, book, days):
        self.book = book


class Renewal(Loan):
    def due(self):
        return self.book
'''
DESK = """from shop.shelf import Shelf


def serve(reader):
    shelf = Shelf()
    loan = shelf.lend(reader.wish)
    return loan
"""
SQUARE = """export interface Shape {
  area(): number;
}

export class Square implements Shape {
  constructor(private side: number) {}
  area(): number {
    return this.side * this.side;
  }
}

export function total(shapes: Shape[]): number {
  let sum = 0;
  for (const shape of shapes) {
    sum += shape.area();
  }
  return sum;
}
"""
CART = """public class Cart {
    public Cart() {}

    static Cart filled() {
        return new Cart();
    }
}
"""
FILES = {
    "shop/__init__.py": "",
    "shop/shelf.py": SHELF,
    "shop/desk.py": DESK,
    "tests/test_shelf.py": "from shop.shelf import Shelf\n\n\ndef test_lend():\n    assert Shelf().lend(1)\n",
    "web/square.ts": SQUARE,
    "web/page.ts": 'import { Square, total } from "./square";\n\n/* 😀 */ export const area = total([new Square(2)]);\n',
    "java/Cart.java": CART,
    "native/shelf.h": "int lend(int book, int days);\n",
    "native/shelf.c": '#include "shelf.h"\n\nint lend(int book, int days)\n{\n\treturn book + days;\n}\n',
    "native/desk.c": '#include "shelf.h"\n\nint serve(void)\n{\n\treturn lend(1, 2);\n}\n',
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    with editor_session(tmp_path_factory.mktemp("lsp"), FILES, begun=False) as window:
        yield window


@pytest.fixture
def window(shop):
    with shop.beside() as window:
        window.initialize()
        yield window


def test_definitions_of_calls_classes_imports_and_types(window):
    assert window.places(window.at("definition", "shop/desk.py", 5, 18)) == ["shop/shelf.py:6:8"]
    assert window.places(window.at("definition", "shop/desk.py", 4, 13)) == ["shop/shelf.py:3:6"]
    assert window.places(window.at("definition", "shop/desk.py", 0, 28)) == ["shop/shelf.py:3:6"]
    assert window.places(window.at("definition", "web/square.ts", 13, 26)) == ["web/square.ts:11:22"]
    assert window.places(window.at("definition", "web/square.ts", 14, 18)) == ["web/square.ts:1:2"]


def test_each_part_of_an_imported_path_leads_to_its_own_module(window):
    assert window.places(window.at("definition", "shop/desk.py", 0, 13)) == ["shop/shelf.py:0:0"]
    assert window.places(window.at("definition", "shop/desk.py", 0, 6)) == ["shop/__init__.py:0:0"]
    assert window.places(window.at("definition", "web/page.ts", 0, 35)) == ["web/square.ts:0:0"]
    assert window.places(window.at("definition", "native/desk.c", 0, 13)) == ["native/shelf.h:0:0"]


def test_a_local_variable_leads_to_where_it_is_bound(window):
    assert window.places(window.at("definition", "shop/desk.py", 5, 12)) == ["shop/desk.py:4:4"]
    assert window.places(window.at("definition", "shop/desk.py", 5, 22)) == ["shop/desk.py:3:10"]


def test_the_definition_in_c_is_the_body_and_the_declaration_the_prototype(window):
    assert window.places(window.at("definition", "native/desk.c", 4, 9)) == ["native/shelf.c:2:4"]
    assert window.places(window.at("declaration", "native/desk.c", 4, 9)) == ["native/shelf.h:0:4"]


def test_type_definitions(window):
    assert window.places(window.at("typeDefinition", "shop/desk.py", 4, 13)) == ["shop/shelf.py:3:6"]
    assert window.places(window.at("typeDefinition", "web/square.ts", 13, 14)) == ["web/square.ts:0:17"]


def test_implementations(window):
    assert window.places(window.at("implementation", "web/square.ts", 0, 19)) == ["web/square.ts:4:13"]
    assert window.places(window.at("implementation", "web/square.ts", 1, 3)) == ["web/square.ts:6:2"]


def test_references_with_and_without_the_declaration(window):
    uses = ["shop/desk.py:5:17", "tests/test_shelf.py:4:19"]
    ask = ("references", "shop/shelf.py", 6, 9)
    assert window.places(window.at(*ask, context={"includeDeclaration": False})) == uses
    assert window.places(window.at(*ask, context={"includeDeclaration": True})) == ["shop/shelf.py:6:8", *uses]
    assert window.places(window.at("references", "shop/desk.py", 4, 4, context={"includeDeclaration": False})) == [
        "shop/desk.py:5:11"
    ]


def test_hovers_show_the_declaration_and_the_documentation(window):
    card = window.at("hover", "shop/desk.py", 5, 18)
    assert card["contents"] == {
        "kind": "markdown",
        "value": "```python\ndef lend(self, book, days=14)\n```\n\nLend a book.",
    }
    assert card["range"] == {"start": {"line": 5, "character": 17}, "end": {"line": 5, "character": 21}}
    assert "(parameter) reader" in window.at("hover", "shop/desk.py", 5, 23)["contents"]["value"]
    assert window.at("hover", "shop/desk.py", 2, 0) is None


def test_columns_after_astral_signs_are_counted_in_the_clients_units(shop):
    for encoding, start in (("utf-16", 29), ("utf-8", 31), ("utf-32", 28)):
        with shop.beside() as window:
            window.initialize({**EVERYTHING, "general": {"positionEncodings": [encoding]}})
            found = window.at("definition", "web/page.ts", 2, start + 1)
            assert window.places(found) == ["web/square.ts:11:16"]
            assert window.at("hover", "web/page.ts", 2, start)["range"]["start"]["character"] == start
            uses = window.at("references", "web/square.ts", 11, 18, context={"includeDeclaration": False})
            assert window.places(uses) == ["web/page.ts:0:17", f"web/page.ts:2:{start}"]


def test_the_outline_is_a_tree_or_a_list(shop, window):
    tree = window.whole("documentSymbol", "shop/shelf.py")
    assert [(symbol["name"], [inner["name"] for inner in symbol.get("children", [])]) for symbol in tree] == [
        ("Shelf", ["lend"]), ("Loan", ["__init__", "book"]), ("Renewal", ["due"]),
    ]  # fmt: skip
    with shop.beside() as plain:
        plain.initialize({})
        listed = plain.whole("documentSymbol", "shop/shelf.py")
        assert [(symbol["name"], symbol.get("containerName", "")) for symbol in listed][:2] == [
            ("Shelf", ""), ("lend", "Shelf"),
        ]  # fmt: skip


def test_every_selection_range_of_the_outline_is_inside_its_range(window):
    def check(symbols):
        for symbol in symbols:
            whole, name = symbol["range"], symbol["selectionRange"]
            assert tuple(whole["start"].values()) <= tuple(name["start"].values())
            assert tuple(name["end"].values()) <= tuple(whole["end"].values())
            check(symbol.get("children", []))

    for path in FILES:
        check(window.whole("documentSymbol", path))


def test_highlights_tell_reads_from_writes(window):
    marks = window.at("documentHighlight", "shop/desk.py", 5, 5)
    assert [(mark["range"]["start"]["line"], mark["kind"]) for mark in marks] == [(5, 3), (6, 2)]
    marks = window.at("documentHighlight", "shop/shelf.py", 11, 7)
    assert [mark["range"]["start"]["line"] for mark in marks] == [8, 11, 16]


def test_symbols_of_the_workspace_by_name_and_the_most_central_for_an_empty_query(window):
    assert [symbol["name"] for symbol in window.ask("workspace/symbol", query="len")][:2] == ["lend", "lend"]
    assert "Shelf" in [symbol["name"] for symbol in window.ask("workspace/symbol", query="")]
    assert window.ask("workspace/symbol", query="nothing_has_this_name") == []


def test_signature_help_marks_the_parameter_that_is_being_written(window):
    window.open("shop/desk.py", DESK.replace("reader.wish)", "reader.wish, )"))
    help_ = window.at("signatureHelp", "shop/desk.py", 5, 35)
    (signature,) = help_["signatures"]
    assert signature["label"] == "def lend(self, book, days=14)"
    assert [signature["label"][slice(*part["label"])] for part in signature["parameters"]] == ["book", "days=14"]
    assert help_["activeParameter"] == 1
    assert window.at("signatureHelp", "shop/desk.py", 0, 3) is None


def test_calls_go_up_and_down(window):
    (item,) = window.at("prepareCallHierarchy", "shop/shelf.py", 6, 9)
    callers = window.ask("callHierarchy/incomingCalls", item=item)
    assert [(call["from"]["name"], len(call["fromRanges"])) for call in callers] == [("serve", 1), ("test_lend", 1)]
    callees = window.ask("callHierarchy/outgoingCalls", item=callers[0]["from"])
    assert {call["to"]["name"] for call in callees} == {"Shelf", "lend"}
    assert window.ask("callHierarchy/incomingCalls", item={**item, "data": {"id": "gone"}}) is None


def test_types_go_up_and_down(window):
    (item,) = window.at("prepareTypeHierarchy", "shop/shelf.py", 16, 7)
    assert item["name"] == "Renewal"
    (above,) = window.ask("typeHierarchy/supertypes", item=item)
    assert above["name"] == "Loan"
    assert [below["name"] for below in window.ask("typeHierarchy/subtypes", item=above)] == ["Renewal"]
    assert window.at("prepareTypeHierarchy", "shop/shelf.py", 6, 9) is None


def test_lenses_count_references_and_tests(window):
    lenses = [window.ask("codeLens/resolve", **lens) for lens in window.whole("codeLens", "shop/shelf.py")]
    titles = {(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in lenses}
    assert {(6, "2 references"), (6, "1 test"), (17, "0 references"), (17, "no known test")} <= titles
    assert window.whole("codeLens", "tests/test_shelf.py")[0]["data"]["of"] == "references"


def test_renaming_a_symbol_edits_what_is_sure_in_every_file(window):
    prepared = window.at("prepareRename", "shop/shelf.py", 6, 9)
    assert prepared["placeholder"] == "lend"
    edit = window.at("rename", "shop/shelf.py", 6, 9, newName="give")
    changed = {
        change["textDocument"]["uri"].removeprefix(window.uri("") + "/"): [
            (one["range"]["start"]["line"], one["newText"]) for one in change["edits"] if "annotationId" not in one
        ]
        for change in edit["documentChanges"]
    }
    sure = {path: edits for path, edits in changed.items() if edits}
    assert sure == {"shop/shelf.py": [(6, "give")], "shop/desk.py": [(5, "give")], "tests/test_shelf.py": [(4, "give")]}
    doubts = edit.get("changeAnnotations", {})
    assert all(annotation["needsConfirmation"] for annotation in doubts.values())


@pytest.mark.parametrize("unsaved", ["", "\n"], ids=["saved", "unsaved"])
def test_a_type_and_its_constructor_are_renamed_together(window, unsaved):
    window.open("java/Cart.java", unsaved + CART)
    above = len(unsaved)
    for line, character in ((0, 14), (1, 12), (3, 12), (4, 20)):
        edit = window.at("rename", "java/Cart.java", line + above, character, newName="Basket")
        (change,) = (change for change in edit["documentChanges"] if "edits" in change)
        places = [tuple(one["range"]["start"].values()) for one in change["edits"]]
        assert places == [(0 + above, 13), (1 + above, 11), (3 + above, 11), (4 + above, 19)]


def test_a_method_is_renamed_with_those_of_unsaved_texts_that_override_it(window):
    window.open("web/square.ts", "\n" + SQUARE)
    for line, character in ((2, 3), (7, 3), (15, 18)):
        edit = window.at("rename", "web/square.ts", line, character, newName="surface")
        changed = {change["textDocument"]["uri"]: change["edits"] for change in edit["documentChanges"]}
        sure = [one for one in changed[window.uri("web/square.ts")] if "annotationId" not in one]
        assert [one["range"]["start"]["line"] for one in sure] == [2, 7, 15]


def test_renaming_a_local_variable_edits_its_document_alone(window):
    edit = window.at("rename", "shop/desk.py", 5, 12, newName="rack")
    (change,) = edit["documentChanges"]
    assert [one["range"]["start"]["line"] for one in change["edits"]] == [4, 5]


@pytest.mark.parametrize("name", ["two words", "class", "", "lend", "1st"])
def test_names_that_cannot_be_given_are_refused_with_the_reason(window, name):
    position = {"line": 6, "character": 9}
    asked = {"textDocument": {"uri": window.uri("shop/shelf.py")}, "position": position, "newName": name}
    answer = window.answer("textDocument/rename", **asked)
    assert answer["error"]["code"] == -32803


def test_what_has_no_name_cannot_be_renamed(window):
    assert window.at("prepareRename", "shop/shelf.py", 0, 1) is None
    position = {"line": 1, "character": 0}
    asked = {"textDocument": {"uri": window.uri("shop/shelf.py")}, "position": position, "newName": "x"}
    assert window.answer("textDocument/rename", **asked)["error"]["code"] == -32803


def test_unsaved_text_is_answered_from_in_its_window_alone(shop, window):
    text = DESK.replace("def serve", "def helper():\n    return 1\n\n\ndef serve").replace(
        "return loan", "return helper()"
    )
    window.open("shop/desk.py", text)
    assert window.places(window.at("definition", "shop/desk.py", 10, 13)) == ["shop/desk.py:3:4"]
    assert window.places(window.at("definition", "shop/desk.py", 9, 18)) == ["shop/shelf.py:6:8"]
    uses = window.at("references", "shop/shelf.py", 6, 9, context={"includeDeclaration": False})
    assert window.places(uses) == ["shop/desk.py:9:17", "tests/test_shelf.py:4:19"]
    assert "helper" in [symbol["name"] for symbol in window.whole("documentSymbol", "shop/desk.py")]
    with shop.beside() as other:
        other.initialize()
        assert other.places(other.at("definition", "shop/desk.py", 5, 18)) == ["shop/shelf.py:6:8"]


def test_a_definition_that_the_unsaved_text_moved_is_found_where_it_is(window):
    window.open("shop/shelf.py", "\n\n\n" + SHELF)
    assert window.places(window.at("definition", "shop/desk.py", 5, 18)) == ["shop/shelf.py:9:8"]
    edit = window.at("rename", "shop/desk.py", 5, 18, newName="give")
    own = next(change for change in edit["documentChanges"] if change["textDocument"]["uri"].endswith("shop/shelf.py"))
    assert [one["range"]["start"]["line"] for one in own["edits"]] == [9]


def test_a_definition_that_the_unsaved_text_has_no_more_leads_nowhere(window):
    window.open("shop/shelf.py", SHELF.replace("def lend", "def give"))
    assert not window.at("definition", "shop/desk.py", 5, 18)


@pytest.mark.parametrize("text", ["", "x = 1\n", "#\n" * 9], ids=["empty", "short", "comments"])
def test_the_card_of_a_definition_that_an_unsaved_text_has_no_more_is_the_saved_one(window, text):
    window.open("shop/shelf.py", text)
    saved = "```python\ndef lend(self, book, days=14)\n```\n\nLend a book."
    assert window.at("hover", "shop/desk.py", 5, 18)["contents"]["value"] == saved
    (signature,) = window.at("signatureHelp", "shop/desk.py", 5, 22)["signatures"]
    assert signature["documentation"]["value"] == "Lend a book."


def test_completion_of_members_and_of_names_in_scope(window):
    window.open("shop/desk.py", DESK.replace("    return loan\n", "    shelf.\n    return loan\n"))
    members = window.at("completion", "shop/desk.py", 6, 10)["items"]
    assert "lend" in [item["label"] for item in members]
    assert "serve" not in [item["label"] for item in members]
    window.change("shop/desk.py", 2, {"text": DESK.replace("    return loan\n", "    lo\n    return loan\n")})
    names = [item["label"] for item in window.at("completion", "shop/desk.py", 6, 6)["items"]]
    assert "loan" in names


def test_folds_and_selections_follow_the_syntax(window):
    folds = window.whole("foldingRange", "shop/shelf.py")
    assert (3, 8) in [(fold["startLine"], fold["endLine"]) for fold in folds]
    (chain,) = window.whole("selectionRange", "shop/desk.py", positions=[{"line": 5, "character": 18}])
    ranges = []
    while chain:
        ranges.append(tuple(chain["range"]["start"].values()))
        chain = chain.get("parent")
    assert ranges[0] == (5, 17)
    assert ranges == sorted(ranges, reverse=True)


def test_hints_are_given_where_they_are_asked_for(shop):
    every = {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}}
    with shop.beside() as window:
        window.initialize(initializationOptions={"inlayHints": True})
        assert window.whole("inlayHint", "shop/desk.py", range=every) is not None
    with shop.beside() as window:
        window.initialize()
        assert window.whole("inlayHint", "shop/desk.py", range=every) is None


def test_files_with_carriage_returns_and_marks_are_placed_as_editors_place_them(window):
    window.open("shop/desk.py", "\ufeff" + DESK.replace("\n", "\r\n"))
    assert window.places(window.at("definition", "shop/desk.py", 0, 25)) == ["shop/shelf.py:3:6"]
    assert window.places(window.at("definition", "shop/desk.py", 5, 18)) == ["shop/shelf.py:6:8"]
    assert window.at("hover", "shop/desk.py", 0, 25)["range"]["start"]["character"] == 24


def tokens_of(window, path, **more):
    """The tokens of a document as (line, character, length, type, modifiers)."""
    legend = window.legend
    method = "semanticTokens/range" if more else "semanticTokens/full"
    data = window.whole(method, path, **more)["data"]
    line = character = 0
    results = []
    for at in range(0, len(data), 5):
        down, right, length, kind, bits = data[at : at + 5]
        line, character = line + down, right + (0 if down else character)
        modifiers = {name for number, name in enumerate(legend["tokenModifiers"]) if bits >> number & 1}
        results.append((line, character, length, legend["tokenTypes"][kind], modifiers))
    return results


def test_names_are_colored_by_what_they_mean_saved_or_not(shop):
    with shop.beside() as window:
        result = window.initialize()
        window.legend = result["capabilities"]["semanticTokensProvider"]["legend"]
        saved = tokens_of(window, "shop/desk.py")
        assert (0, 23, 5, "class", set()) in saved
        assert (3, 4, 5, "function", {"declaration"}) in saved
        assert (3, 10, 6, "parameter", {"declaration"}) in saved
        assert (5, 17, 4, "method", set()) in saved
        assert saved == sorted(saved, key=lambda token: token[:2])
        window.open("shop/desk.py", DESK + "\n")
        assert tokens_of(window, "shop/desk.py") == saved
        lines = {"start": {"line": 3, "character": 0}, "end": {"line": 4, "character": 0}}
        assert tokens_of(window, "shop/desk.py", range=lines) == [token for token in saved if token[0] in (3, 4)]


OUTSIDE = {
    "out.py": "import os\nimport time as clock\nfrom flask import Flask\n\nos.getpid()\nclock.time()\nFlask(os.sep)\n",
    "out.ts": 'import * as vscode from "vscode";\nimport path from "node:path";\n\npath.join(vscode.env.appName);\n',
    "out.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(1) }\n',
}


def test_names_of_packages_outside_lead_to_their_imports(tmp_path_factory):
    with editor_session(tmp_path_factory.mktemp("outside"), OUTSIDE) as window:
        for document in OUTSIDE:
            window.open(document)
        for path, line, character, place in (
            ("out.py", 4, 0, "out.py:0:7"), ("out.py", 5, 2, "out.py:1:15"), ("out.py", 6, 1, "out.py:2:18"),
            ("out.ts", 3, 1, "out.ts:1:7"), ("out.ts", 3, 11, "out.ts:0:12"), ("out.go", 4, 15, "out.go:2:8"),
        ):  # fmt: skip
            assert window.places(window.at("definition", path, line, character)) == [place], (path, line)
        assert len(window.at("documentHighlight", "out.py", 4, 0)) == 3
        assert "(import) os" in window.at("hover", "out.py", 4, 0)["contents"]["value"]
        assert window.at("prepareRename", "out.py", 4, 0) is None


SHORT = {
    "web/title.ts": "export const title = 1;\nexport const book = { title };\n",
    "web/use.ts": 'import { title } from "./title";\nexport const card = { title, other: title };\n',
}


@pytest.mark.parametrize("is_saved", [True, False])
def test_a_name_that_is_key_and_value_keeps_the_key(tmp_path_factory, is_saved):
    with editor_session(tmp_path_factory.mktemp("short"), SHORT) as window:
        for path, text in SHORT.items():
            window.open(path, text if is_saved else text + "\n")
        edit = window.at("rename", "web/title.ts", 0, 14, newName="name")
        texts = {
            (change["textDocument"]["uri"].rpartition("/")[2], one["range"]["start"]["line"], one["newText"])
            for change in edit["documentChanges"]
            for one in change["edits"]
            if "annotationId" not in one
        }
        assert {("title.ts", 1, "title: name"), ("use.ts", 1, "title: name"), ("use.ts", 1, "name")} <= texts
        assert ("title.ts", 1, "name") not in texts


def test_a_common_word_is_not_renamed_where_other_members_have_it(tmp_path_factory):
    files = {
        "one.py": "class Book:\n    def title(self):\n        return 1\n",
        "two.py": "class Page:\n    def title(self):\n        return self.title\n",
        "three.md": "A title has a title.\n",
    }
    with editor_session(tmp_path_factory.mktemp("common"), files) as window:
        edit = window.at("rename", "one.py", 1, 9, newName="name")
        assert [change["textDocument"]["uri"].rpartition("/")[2] for change in edit["documentChanges"]] == ["one.py"]


UNLINKED = {
    "lib/value.h": "int value_free(int v);\n",
    "lib/value.c": '#include "value.h"\n\nstatic int odd(\n#ifdef X\n\nint value_free(int v)\n{\n\treturn v;\n}\n',
    "lib/use.c": '#include "value.h"\n\nint use(void)\n{\n\treturn value_free(1);\n}\n',
}


def test_the_body_of_a_prototype_is_found_in_a_file_that_is_parsed_in_part(tmp_path_factory):
    with editor_session(tmp_path_factory.mktemp("partial"), UNLINKED) as window:
        assert window.places(window.at("definition", "lib/use.c", 4, 10)) == ["lib/value.c:5:4"]
        assert window.places(window.at("declaration", "lib/use.c", 4, 10)) == ["lib/value.h:0:4"]


def test_a_name_that_was_just_written_is_waited_for(shop):
    with shop.beside() as window:
        window.initialize()
        window.open("shop/desk.py", DESK)
        window.at("hover", "shop/desk.py", 5, 10)
        for number in range(20):
            text = DESK.replace("    return loan", f"    fresh{number} = loan\n    return fresh{number}")
            window.change("shop/desk.py", number + 2, {"text": text})
            found = window.at("definition", "shop/desk.py", 7, 12)
            assert window.places(found) == ["shop/desk.py:6:4"]


def test_the_beginning_of_a_definitions_line_means_the_definition(window):
    for character in (0, 4):
        (item,) = window.at("prepareCallHierarchy", "shop/shelf.py", 6, character)
        assert item["name"] == "lend"
    assert window.places(window.at("definition", "shop/desk.py", 3, 0)) == ["shop/desk.py:3:4"]
    assert window.at("prepareCallHierarchy", "shop/shelf.py", 6, 6) is None  # inside of the keyword
    assert window.at("definition", "shop/desk.py", 6, 4) is None  # a statement defines nothing
