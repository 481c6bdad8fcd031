"""Passwords in settings files, where the text after a name is its value: also a word without quotes, a number, or
several words.
"""

from __future__ import annotations

import posixpath
import re
from typing import Final

_ENDINGS: Final = frozenset(
    {".yaml", ".yml", ".ini", ".cfg", ".conf", ".cnf", ".config", ".properties", ".env", ".toml", ".tfvars", ".service"}
)
_STEMS: Final = (".env", "env.")  # .env.example, env.sample
_TRANSLATED: Final = re.compile(  # folders and files with texts in several languages, in which "password" is a label
    r"(?:^|/)(?:locales?|i18n|l10n|lang|langs|languages?|translations?|messages)(?:[/_.-])|(?:^"
    r"|[/_.])[a-z]{2}(?:[_-][A-Za-z]{2})?\.(?:ya?ml|properties|ini)$"
)

_PASSWORD: Final = r"(?:passw(?:or)?d|passphrase|pwd|(?<![A-Za-z])pass)"
_LINE: Final = re.compile(  # name: value, name=value; the line contains nothing else but a comment
    rf"^(?P<head>[ \t]{{0,80}}(?:-[ \t]{{1,8}}|export[ \t]{{1,8}}"
    rf"|set[ \t]{{1,8}})?[\"']?[\w.-]{{0,60}}?{_PASSWORD}[\"']?[ \t]{{0,20}}[:=][ \t]{{0,20}})"
    r"(?P<value>[^\s#\"'{\[|>&*!][^\n]{2,200}?)(?=[ \t]{0,40}(?:[ \t][#;][^\n]*)?$)",
    re.IGNORECASE | re.MULTILINE,
)
_VARIABLES: Final = ("PASSWORD=", "PASSWD=", "PASSPHRASE=", "_PWD=", "_PASS=")  # endings of the names of variables
_ASSIGNED: Final = re.compile(  # DB_PASSWORD=value in a shell script, a Dockerfile or a list of variables, in any file
    rf"^(?P<head>[ \t]{{0,80}}(?:-[ \t]{{1,8}}|export[ \t]{{1,8}}|ENV[ \t]{{1,8}}|ARG[ \t]{{1,8}}"
    rf"|Environment=)?[A-Z0-9_]{{0,60}}(?:{'|'.join(_VARIABLES)}))"
    r"(?P<value>[^\s\"'`()\[\]{}<>,;&$|]{5,200})(?=[ \t]{0,40}(?:[ \t]#[^\n]*)?$)",
    re.MULTILINE,
)
_NAMED: Final = re.compile(  # name: DB_PASSWORD, value: …, on one line or two: variables of containers
    rf"(?P<head>\bname[\"']?[ \t]{{0,4}}:[ \t]{{0,4}}[\"']?[\w.-]{{0,60}}?{_PASSWORD}[\"']?,?\s{{1,80}}[\"']?value"
    r"[\"']?[ \t]{0,4}:[ \t]{0,4}(?P<quote>[\"']?))(?P<value>[^\s\"'{\[|>&*!][^\"'\n]{2,200}?)"
    r"(?=(?P=quote)[ \t]{0,40}(?:[,}]|(?:[ \t]#[^\n]*)?$))",
    re.IGNORECASE | re.MULTILINE,
)
_CONNECTION: Final = re.compile(  # Server=…;Password=value; and nothing of a program between
    r"(?P<head>\b(?:server|data source|host|user id|uid|database)[ ]?=[^;={}\n\"']{1,200};"
    r"(?:[^;=\n\"'{}]{1,40}=[^;={}\n\"']{0,200};){0,6}[ ]?(?:password|pwd)[ ]?=)"
    r"(?![A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+;)(?P<value>[^;{}()\n\"'\s]{3,100})(?=[;\"']|$)",
    re.IGNORECASE | re.MULTILINE,
)
_NO_PASSWORD: Final = re.compile(  # values of such a setting that are no password
    r"(?i:true|false|yes|no|on|off|none|null|nil|undefined|str|string|text|bool|boolean|int|integer|secret|hidden"
    r"|masked|required|optional|auto|ask|prompt"
    r"|always|never|default|env|enabled|disabled|empty|plain|any|unset|varchar|char|object|n/a|tbd)"
)
_REFERENCE: Final = re.compile(  # a reference to a value elsewhere: a path, an address, a version, a placeholder
    r"^[$%@:<]|\$\{|\$\(|\{\{|%\(|\*{3}|\.\.\.|x{4}|^your[-_ ]|^[\w.-]*/[\w./-]*$|://|^[~^=v]?\d+(?:\.\d+)+$",
    re.IGNORECASE,
)
_SPEAKS_OF_IT: Final = re.compile(r"pass|pwd|secret|token|key|credential", re.IGNORECASE)
_PHRASE: Final = re.compile(r"[a-z]{3,20}(?:[ -][a-z]{3,20}){2,11}")
_SENTENCE: Final = frozenset(
    {
        "the", "your", "you", "for", "and", "must", "not", "enter", "has", "have", "are", "was", "with", "this", "that",
        "new", "old", "set", "use", "user", "from", "please", "invalid", "wrong", "required", "login", "account",
        "email", "name", "reset", "change", "forgot", "confirm", "optional", "valid",
    }
)  # fmt: skip


def is_settings(path: str) -> bool:
    """Whether the file at `path` is a settings file, by its name. Files with texts in several languages are not."""
    name = posixpath.basename(path)
    return (posixpath.splitext(name)[1] in _ENDINGS or name.startswith(_STEMS)) and not _TRANSLATED.search(path)


def without_passwords(text: str, removed: str, *, is_settings: bool) -> str:
    """Return `text` with `removed` in place of passwords without quotes that have a line of their own, that are values
    of named variables, or parts of a connection string.
    """

    def named(match: re.Match[str]) -> str:
        is_value = (is_settings or match["quote"]) and _is_password(match["value"])
        return match["head"] + removed if is_value else match[0]

    text = _NAMED.sub(named, text)
    text = _CONNECTION.sub(lambda match: match["head"] + removed if _is_password(match["value"]) else match[0], text)
    if any(name in text for name in _VARIABLES):
        text = _ASSIGNED.sub(lambda match: match["head"] + removed if _is_password(match["value"]) else match[0], text)
    return (
        _LINE.sub(lambda match: match["head"] + removed if _is_password(match["value"]) else match[0], text)
        if is_settings
        else text
    )


def _is_password(value: str) -> bool:
    if _NO_PASSWORD.fullmatch(value) or _REFERENCE.search(value) or not value.isascii():
        return False
    return is_phrase(value) if " " in value else not _SPEAKS_OF_IT.search(value)


def is_phrase(value: str) -> bool:
    """Whether `value` is a passphrase: several lower-case words that form no sentence."""
    return (
        _PHRASE.fullmatch(value) is not None
        and not _SENTENCE & set(value.replace("-", " ").split())
        and not _SPEAKS_OF_IT.search(value)
    )
