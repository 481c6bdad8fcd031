"""An edit adds or removes what it should, in the form of the document around it, and nothing else."""

from __future__ import annotations

import tomllib

import pytest

from codeagentd.clients import instruction_blocks, json_edits, toml_edits
from codeagentd.clients.json_edits import APPENDED
from codeagentd.clients.jsonc import Broken

ENTRY = {"command": "/bin/x", "args": []}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "s": {\n    "x": 1\n  }\n}\n'),
        ("// mine\n", '// mine\n{\n  "s": {\n    "x": 1\n  }\n}\n'),
        ("{}", '{"s": {"x": 1}}'),
        ('{"a": 1}\n', '{"a": 1, "s": {"x": 1}}\n'),
        ('{"a":1, }', '{"a":1, "s": {"x": 1}, }'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"s": {\n\t\t"x": 1\n\t}\n}'),
        ('{\r\n    "a": 1\r\n}\r\n', '{\r\n    "a": 1,\r\n    "s": {\r\n        "x": 1\r\n    }\r\n}\r\n'),
        ('{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "s": {\n    "x": 1\n  }\n}'),
        ('{\n  "a": 1, // one\n  // end\n}', '{\n  "a": 1, // one\n  "s": {\n    "x": 1\n  },\n  // end\n}'),
        ('{\n  "s": {}\n}', '{\n  "s": {\n    "x": 1\n  }\n}'),
        ('{\n  "s": {\n    // none yet\n  }\n}', '{\n  "s": {\n    // none yet\n    "x": 1\n  }\n}'),
        ('{\n  "s": {\n    "y": 2\n  },\n  "t": 3\n}', '{\n  "s": {\n    "y": 2,\n    "x": 1\n  },\n  "t": 3\n}'),
        ('{"a": 1 /* b\n */}', '{"a": 1, /* b\n */\n   "s": {\n     "x": 1\n   }}'),
    ],
)
def test_a_member_is_added_in_the_form_of_the_document(before: str, after: str):
    assert json_edits.put(before, ("s", "x"), 1, lenient=True) == after


def test_a_value_is_replaced_where_it_is():
    before = '{\n  "s": {"x": [1, 2], /* kept */ "y": 2}\n}'
    assert (
        json_edits.put(before, ("s", "x"), {"z": 1}, lenient=True)
        == '{\n  "s": {"x": {\n    "z": 1\n  }, /* kept */ "y": 2}\n}'
    )


def test_an_item_is_added_behind_the_others():
    assert json_edits.put('{"h": [1]}', ("h", APPENDED), 2, lenient=False) == '{"h": [1, 2]}'
    assert json_edits.put('{"h": []}', ("h", APPENDED), 2, lenient=False) == '{"h": [2]}'
    assert json_edits.put("{}", ("h", "s", APPENDED), 2, lenient=False) == '{"h": {"s": [2]}}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"s": {"x": 1}}', '{"s": {}}'),
        ('{"s": {"x": 1, "y": 2}}', '{"s": {"y": 2}}'),
        ('{"s": {"y": 2, "x": 1}}', '{"s": {"y": 2}}'),
        ('{"s": {"y": 2, "x": 1,}}', '{"s": {"y": 2,}}'),
        ('{"s": {\n  "y": 2, // two\n  "x": 1\n}}', '{"s": {\n  "y": 2 // two\n}}'),
        (
            '{"s": {\n  "y": 2,\n  // above\n  "x": 1, // beside\n  "z": 3\n}}',
            '{"s": {\n  "y": 2,\n  // above // beside\n  "z": 3\n}}',
        ),
        ('{"s": {\n  "y": 2, // two\n  "x": 1}}', '{"s": {\n  "y": 2 // two\n  }}'),
        ('{"s": {\n  "x": 1, "z": 3\n}}', '{"s": {\n  "z": 3\n}}'),
        ("{}", "{}"),
        ('{"s": {}}', '{"s": {}}'),
        ("// nothing\n", "// nothing\n"),
    ],
)
def test_a_member_is_taken_out(before: str, after: str):
    assert json_edits.drop(before, ("s", "x"), lenient=True) == after


@pytest.mark.parametrize(
    ("text", "offset"), [('{"s": []}', 6), ("[]", 0), ('{"s": 1}', 6), ('{"s": {"x": 1}, "s": {}}', 16)]
)
def test_what_has_another_shape_is_not_edited(text: str, offset: int):
    with pytest.raises(Broken) as caught:
        json_edits.put(text, ("s", "x"), 1, lenient=True)
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    "before",
    [
        "",
        'model = "x"\n',
        'model = "x"\n\n[projects."/a"]\ntrust = true\n',
        '[mcp_servers.other]\ncommand = "y" # why\n\n[z]\nq = """\n[mcp_servers.codeagent]\n"""\n',
        'mcp_servers.a.command = "x"\nz = 1\n[q]\n',
        'a = 1\r\n\r\n[b]\r\nc = "d"\r\n',
    ],
)
def test_a_table_goes_in_and_out_of_toml(before: str):
    keys = ("mcp_servers", "codeagent")
    after = toml_edits.put(
        before, keys, {"command": 'C:\\x "y" \x7f', "args": ["a"], "env": {"B-c": "d e", "f.g": "ü"}}
    )
    assert after.startswith(before)
    assert tomllib.loads(after)["mcp_servers"]["codeagent"] == {
        "command": 'C:\\x "y" \x7f',
        "args": ["a"],
        "env": {"B-c": "d e", "f.g": "ü"},
    }
    assert after.count("\r\n") == (after.count("\n") if "\r\n" in before else 0)
    assert toml_edits.drop(after, keys) == before


def test_a_table_of_toml_is_renewed_where_it_is():
    before = '[mcp_servers.codeagent]\ncommand = "old"\n\n[mcp_servers.codeagent.env]\nA = "b"\n\n# of z\n[z]\nq = 1\n'
    after = toml_edits.put(before, ("mcp_servers", "codeagent"), {"command": "new", "env": {"A": "b"}})
    assert after == '[mcp_servers.codeagent]\ncommand = "new"\nenv = {A = "b"}\n\n# of z\n[z]\nq = 1\n'
    assert toml_edits.drop(after, ("mcp_servers", "codeagent")) == "\n# of z\n[z]\nq = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = {a = {command = "x"}}\n',
        "mcp_servers = 1\n",
        'mcp_servers.codeagent.command = "x"\n',
        "[[mcp_servers]]\na = 1\n",
    ],
)
def test_what_is_written_another_way_is_not_edited(text: str):
    with pytest.raises(Broken):
        toml_edits.put(text, ("mcp_servers", "codeagent"), ENTRY)


def test_broken_toml_has_a_place():
    with pytest.raises(Broken) as caught:
        toml_edits.read('a = 1\nb = "\n')
    assert caught.value.offset == 11


@pytest.mark.parametrize("before", ["", "# Mine\n", "# Mine\n\nText\n", "# Mine\r\n"])
def test_a_block_goes_in_and_out_of_a_text(before: str):
    after = instruction_blocks.put(before)
    assert after.startswith(before)
    assert instruction_blocks.put(after) == after
    assert instruction_blocks.drop(after) == before
    assert instruction_blocks.drop(after + "more\n") == before + "more\n"


def test_an_older_block_is_renewed_in_its_place():
    before = instruction_blocks.put("# Mine\n", "old") + "more\n"
    assert instruction_blocks.put(before) == instruction_blocks.put("# Mine\n") + "more\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{instruction_blocks.BEGIN}\nx\n",
        f"x\n{instruction_blocks.END}\n",
        f"{instruction_blocks.END}\n{instruction_blocks.BEGIN}\n",
        f"{instruction_blocks.BEGIN}{instruction_blocks.BEGIN}{instruction_blocks.END}",
    ],
)
def test_marks_without_a_partner_are_left_alone(text: str):
    with pytest.raises(Broken):
        instruction_blocks.put(text)
    with pytest.raises(Broken):
        instruction_blocks.drop(text)
