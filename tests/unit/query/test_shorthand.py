"""Where one word names a member and a variable, a renaming cannot put a new word in its place."""

from __future__ import annotations

import pytest

from codeagentd.query.refactor.shorthand import is_shorthand


def told(rule: str, text: str) -> bool:
    """What is said of the word between the signs « and »."""
    before, word, after = text.replace("»", "«").split("«")
    line = before.count("\n") + 1
    start = len(before.rpartition("\n")[2])
    return is_shorthand(rule, (before + word + after).split("\n"), line, start, start + len(word))


@pytest.mark.parametrize(
    "text",
    [
        "const a = { «width», height }",
        "const a = {\n  height,\n  // how wide\n  «width»,\n}",
        "const { «width» = 3 } = box",
        "export function show({ height, «width» }: Box) {}",
        "export const make = () => ({ twice: (n) => [n, {}], «width» })",
        "for (const { «width» } of boxes) {}",
    ],
)
def test_objects_and_patterns_have_shorthand(text: str) -> None:
    assert told("objects", text)


@pytest.mark.parametrize(
    "text",
    [
        "import { «width», height } from './box'",
        "import Box, { «width» } from './box'",
        "import type { «width» } from './box'",
        "export { height, «width» }",
        "export enum Side { «width», height }",
        "const { «width» } = require('./box')",
        "const {\n  height,\n  «width»\n} = await import('./box')",
        "module.exports = { «width», height }",
        "show(height, «width»)",
        "const a = { b: [height, «width»] }",
        "const a = { «width»: 1 }",
        "const a = { height: «width» }",
        "if (a) { b = 1, «width» == 2 }",
        "function show(height, «width» = 1) {}",
    ],
)
def test_other_brackets_have_none(text: str) -> None:
    assert not told("objects", text)


@pytest.mark.parametrize(
    ("text", "is_short"),
    [
        ("Box { «width», height }", True),
        ("let Box { ref «width», .. } = b;", True),
        ("Box { «width»: 1 }", False),
        ("b.«width»", False),
        ("pub struct Box { pub «width»: u32 }", False),
        ("Box { «width»: width }", False),
    ],
)
def test_fields_of_structs_have_shorthand(text: str, is_short: bool) -> None:
    assert told("fields", text) is is_short


def test_other_languages_have_none() -> None:
    assert not told("", "{ «width», height }")
