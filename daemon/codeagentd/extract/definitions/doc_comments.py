"""Doc comments: finds the definitions that have one, by one rule for each position that languages use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from codeagentd.extract.captures import Captures
from codeagentd.languages.language import Language
from codeagentd.model.kinds import SymbolKind

from .draft import Draft


def document(drafts: Sequence[Draft], captures: Captures, source: bytes, language: Language) -> None:
    """Mark the definitions in `drafts` that a comment directly precedes. Languages whose query captures @doc inside of
    definitions need no such rule.
    """
    if language.rules.doc == "go":
        for draft in drafts:
            _describe_above(draft, source)
    elif language.rules.doc == "slashes":
        for draft in drafts:
            if comment := _slashes_before(source, draft.start):
                draft.documented = True
                if b"@deprecated" in comment:
                    draft.decorators += ("@deprecated",)
    elif language.rules.doc == "attributes":
        _document_by_attributes(drafts, captures, source)
    elif language.rules.doc in ("above", "generic"):
        _document_above(drafts, captures, source)
    elif language.rules.doc in _LINE_SIGNS:
        for draft in drafts:
            if text := _lines_above(source, draft.start, _LINE_SIGNS[language.rules.doc]):
                _documented(draft, text, TYPE_TAGS.get(language.rules.doc))
    elif language.rules.doc not in ("captured", "strings"):
        _document_following(drafts, captures, source, language.rules.doc)


def _document_following(drafts: Sequence[Draft], captures: Captures, source: bytes, rule: str) -> None:
    by_start: dict[int, list[Draft]] = {}
    for draft in drafts:
        by_start.setdefault(draft.start, []).append(draft)
    tags = TYPE_TAGS.get(rule)
    for node in captures.get("comment", ()):
        result = _definitions_after(node.end_byte, source, by_start)
        for documented in result if tags else result[-1:]:  # types hold for all that one declaration declares
            _documented(documented, source[node.start_byte : node.end_byte], tags)


def _document_by_attributes(drafts: Sequence[Draft], captures: Captures, source: bytes) -> None:
    """Mark the definitions that an attribute with a text documents, or calls deprecated; further attributes may be in
    between.
    """
    by_start = {draft.start: draft for draft in drafts if draft.kind != SymbolKind.CONSTANT}
    for node in captures.get("comment", ()):
        following = node.next_named_sibling
        for _ in range(_LEAD_LIMIT):
            if following is None or following.start_byte in by_start or following.type not in (node.type, "comment"):
                break
            following = following.next_named_sibling
        if following is not None and (draft := by_start.get(following.start_byte)):
            if source.startswith(b"@deprecated", node.start_byte):
                draft.decorators += ("@deprecated",)
            else:
                draft.documented = True


_LOOSE: Final = frozenset({"array", "?array", "iterable", "?iterable"})  # types of PHP without an element type

Tags = tuple[re.Pattern[bytes], re.Pattern[bytes]]  # (what is returned, what a variable holds)


def _documented(draft: Draft, text: bytes, tags: Tags | None) -> None:
    """Add the information of a doc comment: that a definition is deprecated, and the types that the definition itself
    does not declare.
    """
    draft.documented = True
    if b"@" not in text:
        return
    if b"@deprecated" in text:
        draft.decorators += ("@deprecated",)
    if tags is None:
        return
    returns, variable = tags
    if match := returns.search(text):
        draft.returned = match[1].decode(errors="replace")
    if (not draft.type or draft.type in _LOOSE) and (match := variable.search(text)):
        draft.type = match[1].decode(errors="replace")


def _definitions_after(at: int, source: bytes, by_start: dict[int, list[Draft]]) -> Sequence[Draft]:
    """Return the definitions after a comment that ends at `at`; specifiers, decorators and line comments in between are
    skipped.
    """
    for _ in range(_LEAD_LIMIT):
        if gap := _GAP.match(source, at):
            at = gap.end()
        if at in by_start:
            return by_start[at]
        lead = _LEAD.match(source, at)
        if lead is None:
            return ()
        at = lead.end()
    return ()


def _lines_above(source: bytes, at: int, sign: bytes) -> bytes:
    """Return the comment lines directly above; b"" where there are none, or where other code begins the line."""
    line = source.rfind(b"\n", max(0, at - _LINE_LIMIT), at) + 1
    if _LEADING.fullmatch(source, line, at) is None:
        return b""
    first = line
    while first > 1:
        above = source.rfind(b"\n", max(0, first - 1 - _LINE_LIMIT), first - 1) + 1
        text = source[above : first - 1].strip()
        if not text.startswith(sign) or text.startswith(b"#!") or line - above > _COMMENT_LIMIT:
            break
        first = above
    return b"" if _DIRECTIVES.fullmatch(source, first, line) else source[first:line]


# words before a definition: private, attr_reader, local, export
_LEADING: Final = re.compile(rb"[ \t]*(?:[a-z_]+[ \t(]+)*(?:[:\"'][\w?!\"']+,[ \t]*)*[:\"']?")
_DIRECTIVES: Final = re.compile(
    rb"(?:[ \t]*#+[ \t]*(?:frozen_string_literal|encoding|-\*-|rubocop|shellcheck|typed|warn_indent|:nodoc:)[^\n]*\n)*"
)
_LINE_SIGNS: Final = {"hash": b"#", "yard": b"#", "luadoc": b"--", "percent": b"%%", "semicolons": b";"}
TYPE_TAGS: Final[dict[str, Tags]] = {
    "yard": (re.compile(rb"@return[ \t]+\[([^\]\n]+)\]"), re.compile(rb"@type[ \t]+\[([^\]\n]+)\]")),
    "luadoc": (
        re.compile(rb"(?:@treturn|---[ \t]*@return)[ \t]+([^\s,]+)"),
        re.compile(rb"---[ \t]*@type[ \t]+([^\s]+)"),
    ),  # LDoc's @return has no type
    "phpdoc": (
        re.compile(rb"@return\s+([^\s<*]+(?:<[^>\n]*>)?[^\s*]*)"),
        re.compile(rb"@var\s+([^\s<*]+(?:<[^>\n]*>)?[^\s*]*)"),
    ),
}


def _document_above(drafts: Sequence[Draft], captures: Captures, source: bytes) -> None:
    """Mark definitions of C and C++ that have a comment on lines of its own directly above. A comment after code
    belongs to that code.
    """
    starts: dict[int, list[Draft]] = {}
    for draft in drafts:
        starts.setdefault(draft.start, []).append(draft)
    for node in captures.get("comment", ()):
        line = source.rfind(b"\n", max(0, node.start_byte - _LINE_LIMIT), node.start_byte)
        if not source[line + 1 : node.start_byte].strip() and (gap := _ONE_LINE.match(source, node.end_byte)):
            text = source[node.start_byte : node.end_byte]
            for draft in starts.get(gap.end(), ()):
                draft.documented = True
                if b"@deprecated" in text or b"\\deprecated" in text:
                    draft.decorators += ("deprecated",)


_ONE_LINE: Final = re.compile(rb"[ \t\r]*\n?[ \t\r]*")
_LEAD_LIMIT: Final = 12  # words and decorators between a comment and its definition
_GAP: Final = re.compile(rb"[ \t\r]*(?:\n[ \t\r]*)?(?://[^\n]*\n[ \t\r]*)*")
_LEAD: Final = re.compile(
    rb"(?:export|default|declare|const|let|var|pub|rec|nonrec|and|type|module)(?![\w$])"
    rb"|@[\w$.]+(?:\([^()]{0,500}\))?"
    rb"|#\[(?:[^\[\]]|\[[^\[\]]{0,500}\]){0,500}\]"
)


def _slashes_before(source: bytes, at: int) -> bytes:
    """Return the last line of a /// comment in the line above, or the /** */ comment that ends right before."""
    far = max(0, at - _LINE_LIMIT)
    line = source.rfind(b"\n", far, at)
    before = source[max(line, far) : at].strip()
    if not before and line > 0:
        above = source.rfind(b"\n", max(0, line - _LINE_LIMIT), line)
        before = source[above + 1 : line].strip()
        if before.startswith(b"///") and not before.startswith(b"////"):
            return before
    if not before.endswith(b"*/"):
        return b""
    begin = source.rfind(b"/*", max(0, at - _COMMENT_LIMIT), at)
    return (
        source[begin:at]
        if begin >= 0 and source.startswith(b"/**", begin) and not source.startswith(b"/**/", begin)
        else b""
    )


def _describe_above(draft: Draft, source: bytes) -> None:
    """Mark Go's definitions that have a comment that ends on the line above, without directives; a paragraph of the
    comment may begin with `Deprecated:` (package go/doc/comment).
    """
    at = source.rfind(b"\n", max(0, draft.start - _LINE_LIMIT), draft.start)
    if at < 0 or source[at : draft.start].strip():
        return
    text, low = b"", max(0, at - _COMMENT_LIMIT)
    while at > low:
        above = source.rfind(b"\n", low, at)
        line = source[above + 1 : at].strip()
        if line.startswith(b"//"):
            text = text if _DIRECTIVE.match(line) else line[2:] + b"\n" + text
        elif (
            line.endswith(b"*/")
            and not text
            and (begin := source.rfind(b"/*", low, at)) >= 0
            and not source[source.rfind(b"\n", 0, begin) + 1 : begin].strip()
        ):
            text = source[begin + 2 : at] + b"\n"
            break
        else:
            break
        at = above
    draft.documented = draft.documented or bool(text.strip())
    if _DEPRECATED.search(text):
        draft.decorators += ("Deprecated:",)


_DIRECTIVE: Final = re.compile(rb"//(?:[a-z0-9]+:[a-z0-9]|line |export |extern |nolint\b|\s*\+build )")
_DEPRECATED: Final = re.compile(rb"(?:^|\n[ \t*]*\n)[ \t*]*Deprecated: ")
# bytes looked back for the start of a line: a source on one line must not cost its length for each definition
_LINE_LIMIT: Final = 1_000
_COMMENT_LIMIT: Final = 20_000  # bytes of one comment
