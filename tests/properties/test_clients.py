"""Whatever a configuration looks like: our entry goes in and out, and every byte that is not ours stays."""

from __future__ import annotations

import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagentd.clients import edit_log, instruction_blocks, json_edits, toml_edits
from codeagentd.clients.catalogue import clients
from codeagentd.clients.config_documents import missing
from codeagentd.clients.config_editor import Target, install, uninstall
from codeagentd.clients.config_editor import _without_empty_containers as without_made
from codeagentd.clients.config_entries import EntrySpec, Hook, Server
from codeagentd.clients.edit_log import Record
from codeagentd.clients.jsonc import Broken, read

ENTRY = {"command": "/opt/bin/codeagent-mcp", "args": ["--repo", "/a b"], "env": {"A": "b"}}
KEYS = ("mcpServers", "codeagent")

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
)
names = st.sampled_from(["mcpServers", "a", "b", "c"]) | st.text(max_size=4)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=8
)
roots = st.dictionaries(names, values, max_size=4).map(
    lambda root: root | ({"mcpServers": {"x": 1}} if not isinstance(root.get("mcpServers", {}), dict) else {})
)
space = st.sampled_from(
    ["", " ", "\n", "\n  ", "\n\t", "\r\n    ", ' // note, with { } " and ,\n', "/* a\n * b */", " /**/ ", "\n\n"]
)


@st.composite
def written(draw: st.DrawFn, root: Any) -> str:
    """A value as a user may have written it: with space and comments anywhere, and commas at the end."""

    def text(value: Any) -> str:
        if isinstance(value, dict | list) and value:
            parts = (
                [f"{json.dumps(key)}{draw(space)}:{draw(space)}{text(part)}" for key, part in value.items()]
                if isinstance(value, dict)
                else [text(part) for part in value]
            )
            inner = (
                ",".join(f"{draw(space)}{part}{draw(space)}" for part in parts)
                + draw(st.sampled_from(["", ","]))
                + draw(space)
            )
        else:
            inner = draw(space) if isinstance(value, dict | list) else ""
        return (
            f"{{{inner}}}"
            if isinstance(value, dict)
            else f"[{inner}]"
            if isinstance(value, list)
            else json.dumps(value, ensure_ascii=draw(st.booleans()))
        )

    return draw(space) + text(root) + draw(space)


documents = roots.flatmap(lambda root: st.tuples(st.just(root), written(root)))


def stripped(text: str) -> str:
    """What is neither space nor comma: the values, and every comment."""
    return "".join(text.split()).replace(",", "")


@settings(max_examples=400, deadline=None)
@given(documents)
def test_any_document_with_comments_survives_an_entry(document: tuple[dict[str, Any], str]):
    root, text = document
    before = read(text, lenient=True)
    assert before is not None
    assert before.value == root
    made = tuple(missing(text, "jsonc", KEYS[:1]))
    after = json_edits.put(text, KEYS, ENTRY, lenient=True)
    done = read(after, lenient=True)
    assert done is not None
    assert done.value == root | {"mcpServers": root.get("mcpServers", {}) | {"codeagent": ENTRY}}
    back = without_made(json_edits.drop(after, KEYS, lenient=True), "jsonc", Record(made=made))
    again = read(back, lenient=True)
    assert again is not None
    assert again.value == root
    assert stripped(back) == stripped(text)


@settings(max_examples=300, deadline=None)
@given(documents, st.data())
def test_any_member_can_be_taken_out(document: tuple[dict[str, Any], str], data: st.DataObject):
    root, text = document
    if root:
        key = data.draw(st.sampled_from(sorted(root)))
        left = read(json_edits.drop(text, (key,), lenient=True), lenient=True)
        assert left is not None
        assert left.value == {name: value for name, value in root.items() if name != key}


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='{}[]:,"\\/* \n\t\r01-.eEtrufalsnab\ud800', max_size=40))
def test_any_text_is_read_as_json_is_or_refused(text: str):
    try:
        expected = json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError, RecursionError):
        expected = ...
    try:
        node = read(text, lenient=False)
        found = ... if node is None else node.value
    except Broken:
        found = ...
    assert found == expected


tables = st.sampled_from(
    [
        "a = 1", "[t]", 'x = "y" # c', '[mcp_servers.other]\ncommand = "z"', "# note", "", "[[list]]", "['quoted key'.b]", "q.r = [\n 1,\n 2,\n]",
        'm = """\n[mcp_servers.codeagent]\n"""',
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(tables, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_any_toml_survives_a_table(lines: list[str], ends: str, last: bool):
    text = ends.join("\n".join(lines).split("\n")) + (ends if last else "")
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    keys = ("mcp_servers", "codeagent")
    after = toml_edits.put(text, keys, ENTRY)
    assert after.startswith(text)
    assert tomllib.loads(after)["mcp_servers"]["codeagent"] == ENTRY
    back = toml_edits.drop(after, keys)
    assert tomllib.loads(back) == before
    assert back.rstrip() == text.rstrip()


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_characters="\r"), max_size=60), st.sampled_from(["\n", "\r\n"]))
def test_any_text_survives_a_block(lines: str, ends: str):
    text = lines.replace("\n", ends)
    back = instruction_blocks.drop(instruction_blocks.put(text))
    assert back in (text, text + "\n", text + ends)


@settings(max_examples=60, deadline=None)
@given(documents, st.booleans(), st.booleans())
def test_any_file_survives_install_and_uninstall_byte_for_byte(
    document: tuple[dict[str, Any], str], mark: bool, twice: bool
):
    content = (b"\xef\xbb\xbf" if mark else b"") + document[1].encode()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setenv("CODEAGENT_DATA_DIR", f"{folder}/data")
        path = Path(folder, "settings.json")
        path.write_bytes(content)
        parts = [
            Server(clients()["gemini"], EntrySpec("/opt/bin/codeagent-mcp", force=True)),
            Hook(clients()["gemini"], "jsonc", "/opt/bin/codeagent-mcp"),
        ]
        with edit_log.locked():
            for part in parts if twice else parts[:1]:
                install(Target(str(path), "jsonc", (part,)), "gemini")
            uninstall(Target(str(path), "jsonc", tuple(parts)), "gemini")
        assert path.read_bytes() == content
        assert sorted(file.name for file in Path(folder).iterdir()) == ["data", "settings.json"]
