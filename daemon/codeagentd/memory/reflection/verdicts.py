"""The verdict in an output: success, failure, or none.

It is for outputs in which no failure was found (`failures`). Each pattern matches one line of at most
`output_patterns.LONGEST` characters, in linear time.
"""

from __future__ import annotations

import re
from typing import Final

from .failures import plain_lines

_DECOR: Final = " \t=-#*>!✓✔√•✖×ℹ"
_FAILURES: Final = r"(?:failed|failures?|failing|errors?(?:\(s\))?|errored|broken)"
_THEN: Final = r"(?=\s{0,3}(?:$|[,;|).:=!(])| (?:in|out|found|total)\b)"
_LEVEL: Final = re.compile(r"\[(?:INFO|ERROR|WARNING)\]\s{1,4}")
_EXIT: Final = (
    r"(?:\w{1,30} ){0,4}(?:exit(?:ed)?|returned|rc|terminated)(?: with)?(?: (?:exit )?(?:code"
    r"|status))?\s{0,4}[:= ]\s{0,4}"
)

# `1 failed`, `0 failures` as summaries print them: in a sentence such as `I fixed 3 failing tests` they do not mean a
# failure
_COUNTED: Final = re.compile(
    rf"(?:^|[,;|(:=]|\b(?:tests?|files?|suites?|specs?|found|with"
    rf"|and))\s{{0,9}}(?P<count>\d{{1,9}}) (?:tests? )?{_FAILURES}{_THEN}",
    re.IGNORECASE,
)
_LABELLED: Final = re.compile(  # `Failures: 0`, `# fail 0`
    r"(?:^|[,;|(-])\s{0,9}(?:fail(?:ed|ures?|ing)?|errors?)\s{0,4}[:= ]\s{0,9}(?P<count>\d{1,9})(?=$|[\s,;).])",
    re.IGNORECASE,
)
_PASSES: Final = re.compile(
    rf"(?:^|[,;|(:=.]|\b(?:tests?|files?|suites?))\s{{0,9}}[1-9]\d{{0,8}} (?:tests? )?(?:passed|passing){_THEN}",
    re.IGNORECASE,
)
_PASSED: Final = re.compile(
    r"OK(?: \(|$)|PASS\b|(?i:ok)$|test result: ok|ok\s{1,4}\S{1,200}\s{1,4}(?:[\d.]{1,9}s|\(cached\))|BUILD SUCCESS"
    r"|Passed$"
    r"|Success: no issues found|Finished (?:`?\w{1,40}`? )?(?:profile )?\[[^\]]{1,100}\] target\(s\)"
    r"|\[100%\] Built target|\d{1,9} files? already formatted"
    r"|(?i:all (?:\w{1,30} ){0,2}(?:tests|checks|specs)(?: have)?(?: been)? pass(?:ed)?[.!]?$)"
    r"|(?i:(?:the )?(?:tests?|build|lint(?:er)?|suite|type ?check)s? (?:now )?(?:all )?(?:pass|passes|passed|succeeds"
    r"|succeeded)[.!]?$)"
    r"|(?i:no (?:\w{1,30} ){0,2}(?:errors?|failures?|issues|problems)(?: (?:were )?(?:found|reported|detected))?[.!]?$)"
    rf"|(?i:{_EXIT}0[.!]?$)|(?i:(?:webpack \S{{1,20}} )?(?:build|compilation|compiled|built) (?:succeeded"
    rf"|successful(?:ly)?)\b)"
)
_FAILED: Final = re.compile(
    rf"FAIL(?:ED|URE)?\b|BUILD FAIL|(?i:build failed)|test result: FAILED|make(?:\[\d{{1,3}}\])?: \*\*\* |npm (?:ERR!"
    rf"|error)|(?i:{_EXIT}-?[1-9]\d{{0,9}}[.!]?$)"
    r"|Segmentation fault|fatal: |panic: "
)
_COMPLAINS: Final = re.compile(  # words of a reviewer, or a log line in an output that may still end in success
    r"(?i:error|fail(?:ed|ure)?|exception)\b|[\w.]{1,100}(?:Error|Exception)(?::|$)"
    r"|(?i:.{0,200}?\b(?:tests?|build|compilation|command|it|this) (?:still )?(?:failed|fails|crashe[sd])\b)"
    r"|(?i:.{0,200}?\b(?:went wrong|timed out|(?:does|did|do)(?: not|n't) (?:work|compile|build|pass|run))\b)"
)


def verdict(text: str) -> bool | None:
    """Return True if `text`, a tool's output, states success, False if it states a failure; None if it states
    neither.
    """
    passed = complains = False
    for line in plain_lines(text):
        bare = _LEVEL.sub("", line.strip(_DECOR), count=1)
        counts = [int(match["count"]) for pattern in (_COUNTED, _LABELLED) for match in pattern.finditer(bare)]
        if any(counts) or _FAILED.match(bare):
            return False
        passed = passed or bool(counts or _PASSES.search(bare) or _PASSED.match(bare))
        complains = complains or _COMPLAINS.match(bare) is not None
    return True if passed else False if complains else None
