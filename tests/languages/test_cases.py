"""Does extraction and resolution say of marked source files what their authors say?

A case is a file `tests/languages/<language>/<subject>.case`: source text with the right answers in comments. Known misses live in `*.gap`
files of the same format.

Files. A line `=== path` begins a file of the case's repository; text before the first one is a description. Without any such line the whole
case is one file, named `main` plus the language's first extension. Files of any kind may stand in one case (`=== package.json`).

Marks. A mark is a comment that begins with `@ `, in whichever comment sign the language has: `//@ `, `#@ `, `--@ `, `;@ `, `%@ `, `!@ `, `/*@ … */`,
`(*@ … *)`, `{/*@ … */}`, `<!--@ … -->`. It ends its line and speaks about that line; alone on its line it speaks about the next line that is no mark.
Several expectations are separated by ` ; `. Marks are removed before the files are written, so they shift no column and document no symbol.
Lines without marks assert nothing.

Definitions (the line is that of the symbol's name, in any of its places)
    def KIND NAME [WORD=VALUE …]   a symbol with this node_type whose qualified name is NAME, or ends in it at a separator. The words:
                                   access=private params=2 signature="(a: number, b)" returns=string type=Shelf bases=Base,IShelf parent=NAME
                                   lines=3-9 (the whole definition) spans=2 (how many places); flags=static,async (exactly these of public_api
                                   static abstract async override virtual deprecated doc_comment exported; `flags=` for none), +flag (set), -flag (not
                                   set). Values with spaces stand in double quotes.
    nodef NAME                     no symbol of this name begins here

Occurrences, as extraction sees them (before resolution)
    ref KIND NAME [on RECEIVER]    NAME occurs here as a reference of this kind; RECEIVER is plain, self, class, super, local, complex, or the
                                   name it hangs on (`lend`, `lend()` when that is called)
    absent NAME                    NAME is no reference here (a local variable, a key, a label)
    import MODULE NAME LOCAL [exported] [type]
                                   an import fact; "" for an empty part, as in `import ./shelf "" shelves` (a namespace import)
    export EXPORTED LOCAL          the file exports LOCAL as EXPORTED (an export list; for the word `export` before a definition see +exported)

Edges, as the index answers
    KIND -> TARGET [CONFIDENCE] [ORIGIN] [from SOURCE]
                                   a reference here of this kind (call, import, reexport, type, accepts, returns, inherit, implement, extend,
                                   decorate, read, write, override, construct, embed, mixin, depend, read_from, use) leads to the symbol
                                   TARGET. The edge `override` stands at the name of the member that overrides, `construct` where the type
                                   is named whose constructor runs.
                                   CONFIDENCE is exact, inferred or ambiguous (then all targets: `call -> A.run, B.run ambiguous`), ORIGIN a
                                   label of model.kinds.Origin, SOURCE the symbol that the reference stands in
    KIND open NAME                 a member reference that waits for a question: no target was proved
    unasked NAME                   no member reference of this name waits for a question
    none [NAME]                    no reference (of that name) resolves here

A TARGET or SOURCE is a qualified name or its end (`Shelf.lend`); a TARGET may have its file where names repeat (`lib/shelf.ts:Shelf.lend`);
`lib/shelf.ts:` is the file itself, `Shelf.lend@7` the one whose name is on line 7. `external:requests.get` is a definition of
another package; `only` and `none` are not about those.

Whole files, as a mark anywhere in the file
    only                           every reference of this file that resolves has an edge expectation on its line: others are invented edges
    status full | partial          what the parser made of it

A gap asserts what should be true and is not yet: each of its expectations must fail. One that holds is an error: move it to a case. What must
hold for the gap to make sense belongs to a case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.marked_index import MarkedIndex
from tests.harness.marked_source import Case, read_case

HERE = Path(__file__).parent
PATIENCE_S = 60.0

Judge = Callable[[Case], MarkedIndex]


def _named(pattern: str) -> list[object]:
    return [pytest.param(path, id=f"{path.parent.name}/{path.stem}") for path in sorted(HERE.glob(f"*/*.{pattern}"))]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """One engine for all cases: each replaces the files of the one before."""
    home = tmp_path_factory.mktemp("languages")
    root = home / "repository"
    root.mkdir()
    engine = IndexingEngine(root, home / "index", home / "blobs", use_watcher=False)
    engine.start()

    def index(case: Case) -> MarkedIndex:
        for old in sorted(root.rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        for name, text in case.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        engine.request_scan()
        assert engine.wait_caught_up(PATIENCE_S), "the engine did not catch up"
        return MarkedIndex(engine.index_path, case)

    yield index
    engine.close(PATIENCE_S)


@pytest.mark.parametrize("path", _named("case"))
def test_the_index_says_what_the_case_says(path: Path, judge: Judge) -> None:
    case = read_case(path)
    index = judge(case)
    wrong = [f"{expectation}\n    {said}" for expectation, said in index.failures().items()] + index.invented()
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("path", _named("gap"))
def test_a_known_gap_is_still_one(path: Path, judge: Judge) -> None:
    case = read_case(path)
    failing = judge(case).failures()
    closed = [str(expectation) for expectation in case.expectations if expectation not in failing]
    assert not closed, "these hold now, move them to a case:\n" + "\n".join(closed)
    pytest.xfail(f"{len(failing)} known gaps")
