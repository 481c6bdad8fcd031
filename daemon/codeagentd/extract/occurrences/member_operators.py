"""Member operators: the ends of receivers whose members are not joined to them directly by a dot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from codeagentd.extract.captures import Captures

from .object_initializers import UNKNOWN
from .rust_receivers import is_module_itself

NO_RECEIVER: Final = -1

# It ends at the first `*/`, whatever follows: an expression that may also end at later ones takes exponential time.
_COMMENT: Final = rb"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
# A comment after `#` follows a space: `this.#books` has a private name.
# Java: an annotation too
_GAP: Final = re.compile(rb"\.(?:[ \t\r\n\\]|(?<=\s)#[^\n]*\n|//[^\n]*\n|" + _COMMENT + rb"|@[\w.]+(?=\s))+(?=[^\W\d])")
_SPACE_OR_COMMENTS: Final = rb"(?:[ \t\r\n\\]|//[^\n]*\n|#[^\n]*\n|" + _COMMENT + rb")*"
_JOINT: Final = re.compile(
    _SPACE_OR_COMMENTS + rb"(?:\?->|\??\.\.|\?\.|&\.|!\.|->|::\$?|\.|:|%|/)" + _SPACE_OR_COMMENTS,
)
_FAR: Final = 200  # bytes of white space between a joint and its name
_SPACE: Final = frozenset(b" \t\r\n\\")
_DOT, _COLON = b".:"


def gaps(source: bytes) -> dict[int, int]:
    """Return a dictionary from the start of each name that white space or a comment separates from the dot before it,
    to that dot.
    """
    return {gap.end(): gap.start() for gap in _GAP.finditer(source)}


def members_without_dot(
    source: bytes,
    captures: Captures,
    generics: Mapping[int, int],
    joints: tuple[bytes, ...],
    hidden: Iterable[int],
    *,
    unwraps: bool,
) -> dict[int, int]:
    """Return a dictionary from the start of each member name that no dot joins directly to its receiver, to the end of
    the receiver.

    `joints` are other operators, such as `->` and `::`. `generics`: end -> start of type arguments. `hidden`: starts of
    names that are blanks in the parsed text. `unwraps`: the language is Rust, in which `self::` begins a path.
    """
    # this(…), base(…): their own receivers
    members = {node.start_byte: node.end_byte for node in captures.get("ref.construct", ())}
    for node in captures.get("receiver", ()):
        if joint := _JOINT.match(source, node.end_byte):
            members[joint.end()] = node.end_byte
    for end, start in generics.items():  # this.<Book>lend(): type arguments may come first
        if source[start - 1] == _DOT:
            members[end + len(source[end : end + _FAR]) - len(source[end : end + _FAR].lstrip())] = start - 1
    for node in captures.get("infix", ()):  # shelf lend book: only the receiver precedes the name
        members[node.start_byte] = (
            UNKNOWN if source[node.end_byte - 1] == _COLON else len(source[: node.start_byte].rstrip())
        )
    if joints:
        starts = [*[node.start_byte for node in captures.get("member", ())], *hidden]
        members.update(
            (start, at)
            for start in starts
            if (at := _before_joint(source, joints, start, unwraps=unwraps)) != NO_RECEIVER
        )
    return members


def _before_joint(source: bytes, joints: tuple[bytes, ...], start: int, *, unwraps: bool) -> int:
    """Return the end of the receiver of a name after `->` or `::`; NO_RECEIVER without one."""
    if source[start - 1] in _SPACE:
        start = len(source[max(0, start - _FAR) : start].rstrip()) + max(0, start - _FAR)
    joint = next((joint for joint in joints if source.endswith(joint, 0, start)), b"")
    if not joint:
        return NO_RECEIVER
    start -= len(joint)
    while start and source[start - 1] in _SPACE:
        start -= 1
    return NO_RECEIVER if unwraps and is_module_itself(source, start) else start
