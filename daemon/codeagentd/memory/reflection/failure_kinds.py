"""The kinds of failure: one table with the signs of each kind and the advice for it, whose sentences are filled with
names from the output.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A kind of failure. `signs`: a pattern of error and message; its group `name` is the subject of the failure.

    The sentences may name {name}, {where} and {message}. `wants_definition`: the missing definition may be in the
    index.
    """

    signs: re.Pattern[str]
    cause: str
    next: str
    lesson: str
    wants_definition: bool = False


_Q: Final = r"[`'\"‘’“”]{0,2}"
_NAME: Final = rf"{_Q}(?P<name>[@\w$.:/-]{{1,120}}?){_Q}"

_TABLE: Final = (
    (
        (rf"ModuleNotFoundError: No module named {_NAME}(?:$|;)|TS2307: Cannot find module {_NAME} "
        rf"|(?:Cannot find module|Cannot find package) {_NAME}(?: |$)"
        rf"|unresolved import {_NAME}$|fatal error: {_NAME}: No such file|^{_NAME}: No such file or directory$"
        rf"|package {_NAME} is not in |import-not-found"
        rf"|no required module provides package {_NAME}[;:]|CS0234|package {_NAME} does not exist"),
        "{where} imports {name}, which cannot be found from there",
        ("check how {name} is spelled, whether it is installed or declared as a dependency, and from which directory "
        "the command ran"),
        "Before a module is imported, look up whether it exists and where: a new dependency has to be declared as well",
        True,
    ),
    (
        (rf"cannot import name {_NAME} from|has no (?:attribute|member(?: named)?|exported member|field or method"
        rf"|method(?: named)?|field) {_NAME}(?:$|[ ;.,(])"
        rf"|TS2339: Property {_NAME} does not exist|TS2305|no method named {_NAME} found|no field {_NAME} on|CS1061"
        rf"|CS0117"
        rf"|{_NAME} is not a function$|{_NAME} is not a constructor$|AttributeError"),
        "{where} asks for {name} of something that does not have it",
        "look up what the type really offers, and whether {name} was renamed, removed or belongs to another type",
        "Look up a type's members before using one: a name that sounds right need not exist",
        True,
    ),
    (
        (rf"NameError: name {_NAME} is not defined|TS2304: Cannot find name {_NAME}\.|[Uu]ndefined name {_NAME}$"
        rf"|Name {_NAME} is not defined"
        rf"|cannot find (?:function|value|type|macro|struct|trait)[\w, ]{{0,40}} {_NAME} in|E0433"
        rf"|CS0103: The name {_NAME} does not|CS0246"
        rf"|undefined: {_NAME}$|{_NAME} undeclared|undeclared identifier {_NAME}|ReferenceError: {_NAME} is not defined"
        rf"|no-undef: {_NAME} is not"
        rf"|was not declared in this scope|cannot find symbol|undefined reference to {_NAME}(?:$|\()"
        rf"|UnboundLocalError"),
        "{where} uses {name}, and nothing of that name is in scope there",
        "define or import {name} before its use, or correct its spelling",
        ("Every new use of a name needs its definition or import in the same change; a check of names finds this "
        "before the tests do"),
        True,
    ),
    (
        (r"'NoneType' object|NullPointerException|NullReferenceException|Cannot read propert|of (?:undefined|null)\b"
        r"|nil pointer|on a `None` value|union-attr"
        r"|TS2531|TS2532|TS18047|TS18048"),
        "{where} uses a value that is missing: {message}",
        ("find out where the missing value comes from, and decide there: give it a value, return early, or fail with a "
        "message of its own"),
        "What may be missing has to be tested where it arrives, not where it is used",
    ),
    (
        (r"missing \d+ required|takes \d+ positional|unexpected keyword argument|TS2554|TS2555|E0061|CS1501|CS7036"
        r"|too (?:many|few) arguments|call-arg"
        r"|not enough arguments in call|cannot be applied to given types"),
        "{where} calls something with other arguments than it takes: {message}",
        "read the signature of what is called and change the call, or every caller if the signature was changed",
        "When a signature changes, all callers change with it: list them first",
    ),
    (
        r"E0382|E0499|E0502|E0505|E0506|E0597|E0716",
        "{where} uses a value after it was moved, or while it is borrowed otherwise: {message}",
        "shorten the borrow, clone the value, or pass a reference",
        "In Rust, decide who owns a value before writing what uses it",
    ),
    (
        (r"TypeError|TS2322|TS2345|TS2769|E0308|E0277|CS0029|CS0266|CS1503|arg-type|return-value|assignment"
        r"|incompatible type|[Ii]ncompatible|cannot use .* as "
        r"|ClassCastException|InvalidCastException|no-any-return|invalid conversion|mismatched types"
        r"|unsupported operand"),
        "at {where} a value has another type than is wanted there: {message}",
        "follow the value to where it gets its type, and convert or declare it there",
        "Types at the borders of a function say what it takes: check them before calling",
    ),
    (
        (r"SyntaxError|IndentationError|invalid-syntax|E999|TS1\d{3}\b|expected [`‘'\";:{)(]|syntax error|CS1002|CS1513"
        r"|unexpected token|Parsing error"),
        "{where} cannot be parsed: {message}",
        "look at the line before the one that is named as well: a bracket, quote or separator is missing or too many",
        "Parse a file after each edit, before anything else is run",
    ),
    (
        r"KeyError|IndexError|out of (?:range|bounds)|OutOfBounds|index \d+ is out|NoSuchElement|StopIteration",
        "{where} asks for an element that is not there: {message}",
        "print what the container has at that moment, and treat the empty and the missing case",
        "Access by key or position needs an answer for what is not there",
    ),
    (
        r"FileNotFoundError|ENOENT|No such file or directory|PermissionError|EACCES|Permission denied",
        "{where} opens a file that is not there or must not be opened: {message}",
        "check the path against the directory the command runs in",
        "Paths are relative to the process, not to the file that names them",
    ),
    (
        r"[Tt]imed? ?out|TimeoutError|deadlock|DEADLINE",
        "{where} did not finish in time: {message}",
        "find out what is waited for, and whether it can happen at all; a longer limit hides it",
        "A time-out is a wait for something that does not happen: name that thing",
    ),
    (
        r"ConnectionRefused|ECONNREFUSED|ConnectionError|getaddrinfo|Name or service not known|Network is unreachable",
        "{where} could not reach a service: {message}",
        "check whether the service runs where the command looks for it",
        "What needs a service says so, and says what to do without it",
    ),
    (
        r"F401|F841|no-unused|TS6133|TS6192|unused|declared but|imported but|is assigned a value but",
        "{where} has something that nothing uses: {message}",
        "remove it, or use it as intended",
        "Remove what a change makes superfluous in the same change",
    ),
    (
        r"(?i:assert)|expect\(|\bwant\b|Expected|ComparisonFailure|left == right",
        "what {where} computes is not what the test expects: {message}",
        "compare the two values, then follow the unexpected one back to where it is computed",
        "Run the failing test alone and look at both values before changing code: the test may be right",
    ),
)  # fmt: skip


def _distinct_names(pattern: str) -> str:
    """The pattern with each repeated group `name` numbered, since Python allows each name only once."""
    count = iter(range(1_000))
    return re.sub(r"\(\?P<name>", lambda _: f"(?P<name{next(count)}>", pattern)


KINDS: Final = tuple(Kind(re.compile(_distinct_names(signs)), *rest) for signs, *rest in _TABLE)


def kind_of(error: str, message: str) -> tuple[Kind | None, str]:
    """Return the kind of the failure with this error and message (None: unknown), and the name of its subject, '' if
    the tool does not state it.
    """
    text = f"{error}: {message}" if error else message
    for kind in KINDS:
        if matches := list(kind.signs.finditer(text)):
            return kind, next((name.strip(".") for match in matches for name in match.groups() if name), "")
    return None, ""
