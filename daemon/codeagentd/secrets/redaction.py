"""The redaction of keys, tokens and passwords in texts: by the names that they are assigned to, by their form, and by
their issuers' rules.

Names stay, so that a search for `api_key` finds the place, and the value is removed. Line numbers do not change. Every
regular expression is bounded: hostile text takes time in proportion to its length.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.log import EventLog

from .issued_keys import is_issued, is_marked, without_issued
from .key_blocks import without_blocks
from .scanner import detectors
from .settings_values import is_phrase, is_settings, without_passwords
from .wordlike import HALF, MOST, is_worded

REMOVED: Final = "[redacted]"
LONG: Final = 20  # characters of a run above which its form alone decides
NUMBER: Final = 12  # digits from which a number may be a key: a count or size has fewer
# characters of a run that an issuer's rule may know: the length of the shortest keys that occur alone
DOUBTFUL: Final = 16

_IN_URL: Final = re.compile(r"(://[^\s/:@\"'<>]{0,100}:)([^\s/@\"'<>]{1,200})(?=@)")

_HINTS: Final = ("pass", "pwd", "secret", "token", "credential", "key")  # every name contains one of these
_KEY: Final = "key"
# the words before `key`
_OF_KEYS: Final = (
    r"(?:api|access|secret|private|signing|encryption|auth|account|shared|master|license|client|service)[_-]?"
)
NAME: Final = re.compile(
    rf"(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|(?<![a-z])pass(?=[_\s\"':=])|{_OF_KEYS}{_KEY})"
)
_KEY_BEGINS: Final = re.compile(rf"{_OF_KEYS}\Z")
_LONGEST_OF_KEYS: Final = 11
_QUOTED: Final = re.compile(
    r"(?P<rest>[\w-]{0,40})[\"'\])]{0,2}(?:[ \t]{0,4}:[ \t]{0,4}[\w.\[\]|&' ]{1,40})?\s{0,4}(?::=|=>"
    r"|[:=]=?)\s{0,4}[@$bBfFrRuU]{0,2}"
    r"(?P<quote>[\"'`])(?P<value>(?:(?!(?P=quote))[^\\\n]|\\.){4,400})(?P=quote)"
)
_BARE: Final = re.compile(
    r"(?P<rest>[\w-]{0,40})[\"']?[ \t]{0,4}[:=][ \t]{0,4}(?P<value>[^\s\"'`()\[\]{}<>,;&$]{5,200})(?=[;&\"']"
    r"|[ \t]{0,40}(?:[#;]|$))",
    re.MULTILINE,
)
_TAGGED: Final = re.compile(r"(?P<rest>[\w-]{0,40})>(?P<value>[^<>\s]{4,200})(?=</)")
_SCHEME: Final = re.compile(r"(?:bearer|basic)\s")  # every match of the next pattern contains one of these
_BEARER: Final = re.compile(
    r"((?P<header>authorization[\"']?\s{0,4}[:=,]\s{0,4}[\"']?)?\b(?:bearer"
    r"|basic)\s{1,4})(?P<value>[A-Za-z0-9._~+/=-]{16,})",
    re.IGNORECASE,
)

# secrets whose values people choose
_WORDS: Final = frozenset({"password", "passwd", "passphrase", "pwd", "pass", "secret"})
# the shortest value without quotes that can only be a password
_SHORT: Final = re.compile(r"(?=.*[A-Za-z])(?=.*\d)(?=.*[!@#%^*?~])[\w!@#%^*?~.+-]{5}")
_SETTINGS: Final = frozenset(
    {"true", "false", "none", "null", "string", "text", "hidden", "required", "optional", "undefined"}
)
_TEMPLATE: Final = re.compile(r"\$[{(\w]|\{\{|%[(s]|\{\w*\}|^[<%]|\*{3}|\.\.\.|(?i:x{4}|^your[-_ ])")
_PLACE: Final = re.compile(
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[\w.-]*/[\w./-]*|(?:u?int|float|utf|sha|md|base|ed|es|hs|rs|uint)_?-?\d+\w*",
    re.IGNORECASE,
)
_WORDS_ONLY: Final = re.compile(r"[A-Za-z_. -]*")

_RUN: Final = re.compile(r"[A-Za-z0-9+/_=.-]{16,}")  # the runs that contain a digit
_DIGIT: Final = re.compile(r"[0-9]")
_LITERAL: Final = re.compile(r"([\"'`])((?:(?!\1)[^\\\n]|\\.){0,400})\1")
_LONG_LITERAL: Final = re.compile(rf"[\"'`][\w~.:+/=-]{{{DOUBTFUL},}}")
_WORD: Final = re.compile(r"[^\s/\"'`]+")
_SEGMENT: Final = re.compile(r"[^/=]{16,}")
_KINDS: Final = (re.compile(r"[A-Z]"), re.compile(r"[a-z]"), re.compile(r"[0-9]"))
_PARTS: Final = re.compile(r"[^A-Za-z0-9]")
_RUNS: Final = re.compile(r"[0-9]+|[A-Za-z]+")
_DIGEST: Final = re.compile(
    r"(?i:sha|md5|digest|hash|checksum|integrity|commit|revision|\brev|etag|fingerprint|blake|uuid|guid|crc)|@\Z"
)
# the second is a compiler's commit, in backtraces
_SUM: Final = re.compile(r"(?:sha\d{1,3}|md5|h1)[-=:/_]|/?rustc/[0-9a-f]{40}(?=(?:/[\w.-]{1,40}){0,20}\Z)")
_HEX: Final = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_SECRET: Final = re.compile("|".join(_HINTS), re.IGNORECASE)
_BEFORE: Final = 80  # characters before a digest in which its label is searched

_log = EventLog(__name__)


class Judged(NamedTuple):
    """The text without the secrets that our own rules find; `is_doubtful`: the issuers' rules may find more."""

    text: str
    is_doubtful: bool


def judged(text: str, path: str = "") -> Judged:
    """Return `text` without the secrets that our own rules find, with as many lines as before, and whether the issuers'
    rules may find more.

    `path` is the path of its file: in settings files, values need no quotes.
    """
    if "PRIVATE KEY" in text or "Private-Lines" in text:
        text = without_blocks(text, REMOVED)
    if "://" in text:
        text = _IN_URL.sub(_unless_template, text)
    folded = _folded(text)
    if any(hint in folded for hint in _HINTS):
        if "pass" in folded or "pwd" in folded:
            text = without_passwords(text, REMOVED, is_settings=is_settings(path))
            folded = _folded(text)
        text = _without_values(text, folded)
    if _SCHEME.search(folded):
        text = _BEARER.sub(lambda match: match[1] + REMOVED if _is_credential(match) else match[0], text)
    text, is_doubtful = without_issued(text, folded, REMOVED)
    judge = _Judge()
    text = _RUN.sub(judge, text)
    return Judged(text, judge.doubts or is_doubtful)


def _folded(text: str) -> str:
    """The text in lower case, with its length unchanged: one letter is left as it is, since `lower` turns it into
    two.
    """
    return text.replace("İ", "I").lower()


def redacted(text: str, path: str = "") -> str:
    """Return `text` without anything that looks like a secret; it has as many lines as before. `path` is the path of
    its file.

    Errors: engine_unavailable, if the text cannot be searched.
    """
    own = judged(text, path)
    return without_keys(own.text) if own.is_doubtful else own.text


def without_doubts(text: str, *, is_code: bool) -> str:
    """Return `text` without what our own rules find or have doubts about; the scanner is not started.

    It may remove too much, so it is for texts where that does no harm. Of code, only literals are removed.
    """
    own = judged(text)
    if is_code:
        return _LITERAL.sub(
            lambda match: match[1] + (REMOVED if _is_random(match[2]) else match[2]) + match[1], own.text
        )
    return (
        _WORD.sub(lambda match: REMOVED if not match[0].isalpha() and _is_random(match[0]) else match[0], own.text)
        if own.is_doubtful
        else own.text
    )


def without_keys(text: str) -> str:
    """Return `text`, as `judged` has left it, without the keys that an issuer's rule finds. Errors:
    engine_unavailable.
    """
    data = text.encode("utf-8", "surrogatepass")
    pieces, at = [], 0
    for start, end in detectors.detected(data):
        if start >= at:
            pieces += [data[at:start], REMOVED.encode() + b"\n" * data.count(b"\n", start, end)]
        at = max(at, end)
    return b"".join([*pieces, data[at:]]).decode("utf-8", "surrogatepass") if pieces else text


def shown(text: str, path: str = "") -> str:
    """Return `text` without secrets, as `redacted`. A text that cannot be searched is withheld: it has as many lines as
    before.
    """
    own = judged(text, path)
    return shielded(own.text) if own.is_doubtful else own.text


def shielded(text: str) -> str:
    """Return `text` without keys, as `without_keys`. A text that cannot be searched is withheld: it has as many lines
    as before.
    """
    try:
        return without_keys(text)
    except EngineUnavailable:
        return withheld(text)


def withheld(text: str) -> str:
    """Return the replacement for `text`, which cannot be searched for keys, with as many lines."""
    _log.warning("a text is withheld: the process that knows issuers' keys does not answer")
    return REMOVED + "\n" * text.count("\n")


def is_suspect(text: str) -> bool:
    """Whether `redacted` may find a secret in `text`, which has few lines; takes a tenth of its time."""
    if "://" in text or any(map(_DIGIT.search, _RUN.findall(text))) or is_marked(text):
        return True
    folded, has_quotes = text.lower(), any(quote in text for quote in "\"'`")
    if "authorization" in folded:
        return True
    return has_quotes and (any(hint in folded for hint in _HINTS) or _LONG_LITERAL.search(text) is not None)


def _unless_template(match: re.Match[str]) -> str:
    return match[0] if _TEMPLATE.search(match[2]) else match[1] + REMOVED


def _is_credential(match: re.Match[str]) -> bool:
    """Whether a match is a credential of an authorization header, also if words happen to make up most of it."""
    value = match["value"]
    if not is_worded(value) or _is_name_and_password(value):
        return True
    return match["header"] is not None and any(map(str.isupper, value)) and any(map(str.isdigit, value))


def _is_name_and_password(value: str) -> bool:
    """Whether a value is a name and a password in base64, as in basic authorization."""
    try:
        pair = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii")
    except ValueError:
        return False
    return ":" in pair and pair.isprintable()


def _without_values(text: str, folded: str) -> str:
    """The text without the values that are assigned to names of secrets."""
    pieces, at = [], 0
    for name in names_in(folded):
        if name.start() < at:
            continue
        for rule, is_secret in ((_QUOTED, _is_quoted_secret), (_TAGGED, _is_quoted_secret), (_BARE, _is_bare_secret)):
            if (match := rule.match(text, name.end())) and is_secret(name[0].lower(), match["rest"], match["value"]):
                start, end = match.span("value")
                pieces += [text[at:start], REMOVED]
                at = end
                break
    return "".join([*pieces, text[at:]]) if pieces else text


def names_in(folded: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `NAME` in `folded`, a text in lower case. They are found by letters that each match
    contains: that takes a tenth of the time.
    """
    end = 0
    for start in sorted(chain.from_iterable(_starts(folded, hint) for hint in _HINTS)):
        if start >= end and (name := NAME.match(folded, start)):
            end = name.end()
            yield name


def _starts(folded: str, hint: str) -> Iterator[int]:
    """The positions where a name with these letters may begin: at the letters, or a little before the word key."""
    at = folded.find(hint)
    while at >= 0:
        if hint != _KEY:
            yield at
        elif begin := _KEY_BEGINS.search(folded, max(0, at - _LONGEST_OF_KEYS), at):
            yield begin.start()
        at = folded.find(hint, at + len(hint))


def _is_quoted_secret(name: str, rest: str, value: str) -> bool:
    """Whether a quoted value is a secret. A password may be a word; other secrets are not made of words."""
    folded = value.lower()
    if (
        _TEMPLATE.search(value)
        or _SECRET.fullmatch(value)
        or folded in _SETTINGS
        or folded in (name, name + rest.lower())
    ):
        return False
    if " " in value:
        return (
            name == "passphrase"
            or any(map(_is_mixed, value.split()))
            or (not rest and name in _WORDS and is_phrase(value))
        )
    if not rest and name in _WORDS:
        return not _is_place(value)
    return (_is_mixed(value) or (not rest and _is_number(name, value))) and not _is_place(value)


def _is_bare_secret(name: str, rest: str, value: str) -> bool:
    """Whether a value without quotes, as in an .ini file, a shell or a connection string, is a secret: it is no name of
    a variable, and a number only counts as a password.
    """
    if not rest and (_is_number(name, value) or (name in _WORDS and _SHORT.fullmatch(value))):
        return True
    return _is_mixed(value) and not (
        _is_place(value) or _TEMPLATE.search(value) or value[0] in "*&!" or value.startswith("0x")
    )


def _is_place(value: str) -> bool:
    """Whether a value is the path of a file or member, or the name of a type or an algorithm."""
    return _PLACE.fullmatch(value) is not None and (len(value) < LONG or is_worded(value))


def _is_number(name: str, value: str) -> bool:
    """Whether a value of digits is no count: it belongs to a password or secret, or has as many digits as a key."""
    return value.isdigit() and len(value) >= (6 if name in _WORDS - {"pass"} else NUMBER)


def _is_mixed(value: str) -> bool:
    """Whether a value has digits and letters, six characters or more, and is neither a word nor a number.

    A value of many letters that make no words counts too.
    """
    if len(value) < 6 or value.isdigit():
        return False
    return (
        any(map(str.isdigit, value))
        if not _WORDS_ONLY.fullmatch(value)
        else len(value) >= LONG and not is_worded(value)
    )


class _Judge:
    """Judges long runs of digits and letters: those that are not made of words are secrets, except for digests that are
    labelled as such.

    It records whether it had doubts.
    """

    def __init__(self) -> None:
        self.doubts = False

    def __call__(self, match: re.Match[str]) -> str:
        if not _DIGIT.search(match[0]):
            return match[0]
        if match[0].startswith("//"):  # a URL: only its random parts are removed
            return _SEGMENT.sub(self._judge, match[0])
        return self._judge(match)

    def _judge(self, match: re.Match[str]) -> str:
        run = match[0]
        parts = _PARTS.split(run)
        if any(map(is_issued, parts)):
            return REMOVED
        if (
            len(run) >= LONG
            and not is_worded(run)
            and (_has_all(run) or any(map(_is_broken, parts)))
            and not _is_digest(match)
        ):
            return REMOVED
        self.doubts = self.doubts or any(not part.isalpha() and _is_random_part(part) for part in parts)
        return run


def _is_random(run: str) -> bool:
    """Whether a part of a run is long enough for a key and not made of words."""
    return any(map(_is_random_part, _PARTS.split(run)))


def _is_random_part(part: str) -> bool:
    return len(part) >= DOUBTFUL and not is_worded(part, HALF if part.isalpha() else MOST)


def _has_all(run: str) -> bool:
    """Whether a run has upper-case letters, lower-case letters and digits, each more than once."""
    return all(len(kind.findall(run)) > 1 for kind in _KINDS)


def _is_broken(part: str) -> bool:
    """Whether digits and letters alternate often, as in a digest: `utf8` and `2024` do not."""
    return len(part) >= LONG and len(_RUNS.findall(part)) >= 5


def _is_digest(match: re.Match[str]) -> bool:
    """Whether a match is a digest of some content, by the sign before it or by its line's label; False if the line
    mentions secrets.
    """
    if _SUM.match(match[0]):
        return True
    start = max(match.start() - _BEFORE, match.string.rfind("\n", 0, match.start()) + 1)
    before = match.string[start : match.start()]
    return bool(_HEX.fullmatch(match[0]) and _DIGEST.search(before)) and not _SECRET.search(before)
