"""Local variables: every occurrence of each variable is found, and none of another one of the same name.

In the sources, `«shelf:1*»` marks an occurrence of variable 1 that binds it, `«shelf:1»` another one, and `«shelf:1p»`
the binding of a parameter. What is not marked is no local variable.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codeagentd.extract.file_facts import extract, extract_document
from codeagentd.languages.dialects import language_of_source, presumed, sources_among
from codeagentd.languages.language import language_of
from tests.harness.marked_source import read_case

_MARK = re.compile(r"«(\w+):(\d+)([*p]?)»")
CASES = sorted(path for path in Path("tests/languages").resolve().rglob("*.case") if path.parent.name != "markdown")

PYTHON = """
import os
count = 0

def lend(«shelf:1p», *«rest:2p», «n:3p»=1, **«more:4p»):
    «total:5*» = 0

    def inner(«x:6p»):
        nonlocal «total:5»
        global count
        «total:5» += «x:6»
        count += 1
        return «shelf:1».books(«x:6», rest=«rest:2»)

    for «i:7*», («a:8*», «b:9*») in enumerate(«rest:2»):
        «total:5*» = inner(«a:8») + «b:9»
    «found:16*» = [«x:10» for «x:10*» in «rest:2» if «x:10».rest]
    «key:11*» = lambda «shelf:12p»: «shelf:12».x
    with open(«n:3») as «f:13*», os.f() as «g:14*»:
        print(«f:13», «g:14», key=«key:11», more=«more:4»)
    if («m:15*» := «i:7»):
        return «m:15»
"""

TYPESCRIPT = """
import { z } from './z';

export function lend<«T:1*» extends Shelf>(«shelf:2p»: «T:1», { a, b: «c:3p», ...«d:4p» }: any, [«e:5p»] = [1]) {
  var «h:6*» = 1;
  if («h:6») {
    let «h:7*» = 2;
    use(«h:7»);
    var «late:8*» = 1;
  }
  const f = («x:10p») => «x:10» + «h:6» + «late:8»;
  const g = «y:12p» => ({ «y:12», h: «c:3», z });
  for (const «k:13*» of «shelf:2».k) { «k:13».go(«d:4».h); }
  try { f(...«e:5»); } catch («err:14*») { log(«err:14», `${g} `); }
  return a2;
}
""".replace("{ a, ", "{ «a:15p», ").replace("a2", "«a:15»")

GO = """package shelves

func («s:1p» *Shelf) Lend(«n:2p» int, «xs:3p» ...string) («err:4p» error) {
	for «i:5*», «x:6*» := range «xs:3» {
		use(«i:5», «x:6»)
	}
	«x:7*» := «n:2»
	if «x:8*» := «n:2» + «x:7»; «x:8» > 1 {
		use(«x:8»)
	}
	«f:9*» := func(«n:10p» int) error { return use(«n:10», «x:7») }
	«err:4» = «f:9»(«x:7»)
	«s:1».n = «n:2»
	return «err:4»
}
"""

RUST = """
fn lend<«T:1*»: Z>(«shelf:2p»: &«T:1», «n:3p»: usize) -> usize {
    let «n:4*» = «n:3» + 1;
    let («a:5*», «b:6*») = pair(«n:4»);
    if let Some(«x:7*») = «a:5» { call(«x:7», «b:6»); }
    let «f:8*» = |«x:9p»: usize| «x:9» + «n:4»;
    match «n:4» { «k:10*» if «k:10» > 1 => «k:10», «y:11*» => «shelf:2».y + «f:8»(«y:11») }
}
"""

JAVA = """
class Shelf {
    int n;
    <«T:1*»> int lend(«T:1» «shelf:2p», int «k:3p») {
        int «total:4*» = 0;
        for (int «i:5*» = 0; «i:5» < «k:3»; «i:5»++) { «total:4» += «i:5»; }
        for (Book «b:6*» : «shelf:2».books()) { «b:6».n = «k:3»; }
        Runnable «r:7*» = () -> { use(«total:4»); total(); };
        Function «f:8*» = «x:9p» -> «x:9» + n;
        try (Reader «q:10*» = open()) { «q:10».read(); } catch (Exception «e:11*») { «e:11».print(«r:7», «f:8»); }
        return «total:4»;
    }
}
"""

C = """
int lend(struct shelf *«s:1p», int «n:2p») {
    int «total:3*» = 0, *«p:4*» = &«total:3»;
    for (int «i:5*» = 0; «i:5» < «n:2»; «i:5»++) {
        int «total:6*» = «i:5»;
        use(«total:6», «s:1»->n);
    }
    return «total:3» + *«p:4»;
}
"""


def marked(text: str) -> tuple[str, dict[int, tuple[str, bool, tuple[tuple[int, int, bool], ...]]]]:
    """The source without its marks, and by number: the name of the variable, whether it is a parameter, its places."""
    source, found, at = "", dict[int, list[tuple[int, int, bool]]](), 0
    names, parameters = dict[int, str](), set[int]()
    for mark in _MARK.finditer(text):
        source += text[at : mark.start()]
        at, number = mark.end(), int(mark[2])
        line = source.count("\n") + 1
        found.setdefault(number, []).append((line, len(source) - source.rfind("\n") - 1, bool(mark[3])))
        names[number] = mark[1]
        parameters |= {number} if mark[3] == "p" else set()
        source += mark[1]
    source += text[at:]
    return source, {number: (names[number], number in parameters, tuple(found[number])) for number in found}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("python", PYTHON, id="python"),
        pytest.param("typescript", TYPESCRIPT, id="typescript"),
        pytest.param("go", GO, id="go"),
        pytest.param("rust", RUST, id="rust"),
        pytest.param("java", JAVA, id="java"),
        pytest.param("c", C, id="c"),
    ],
)
def test_variables_have_all_of_their_occurrences(language: str, text: str) -> None:
    source, wanted = marked(text)
    found = {fact.places: fact for fact in extract_document(source.encode(), language).locals}
    for name, is_parameter, places in wanted.values():
        assert places in found, (name, places, [fact for fact in found.values() if fact.name == name])
        assert found[places].name == name
        assert found[places].is_parameter == is_parameter, found[places]
    unmarked = found.keys() - {places for _, _, places in wanted.values()}
    assert not unmarked, [found[places] for places in unmarked]


@pytest.mark.parametrize("language", sorted({path.parent.name for path in CASES}))
def test_variables_stand_where_their_names_are_written_and_change_no_reference(language: str) -> None:
    for path in (path for path in CASES if path.parent.name == language):
        case = read_case(path)
        for name, text in case.files.items():
            if (known := language_of(name)) is None:
                continue
            source = text.encode()
            parsed = language_of_source(source, presumed(known, name, sources_among(case.files)))
            document, lines = extract_document(source, parsed), text.split("\n")
            assert document.facts.columns == extract(source, parsed).columns
            places = [(line, column) for fact in document.locals for line, column, _ in fact.places]
            assert len(set(places)) == len(places), f"{path}: a place of two variables"
            for fact in document.locals:
                for line, column, _ in fact.places:
                    assert lines[line - 1].startswith(fact.name, column), f"{path} {name}: {fact}"
                    assert fact.line_start <= line <= fact.line_end, f"{path} {name}: {fact}"
