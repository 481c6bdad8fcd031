"""The verification of a renaming: plan, new name and old name are compared with the present text and index."""

from __future__ import annotations

import functools
import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Final

import msgspec

from codeagentd.model.ids import NAME_HASH, name_key, uid_of
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.model.labels import clean
from codeagentd.model.parameters import language_family
from codeagentd.model.results.change_results import Planned, Spot, Verified
from codeagentd.query.graph.nodes import all_candidates, find
from codeagentd.query.retrieval.excerpts import quoted_line, shown_lines
from codeagentd.query.symbols.lookup import Subject, named
from codeagentd.store.connection import Database

from .edit_locations import PlacedEdit, follow_files, placed_edits
from .mentions import Lines, Place, mentions, word
from .name_collisions import related_members
from .name_families import name_family
from .rename_plan import MOST

LISTED: Final = 200  # findings in each list
KINDS: Final = ("undone", "unresolved", "captured", "left", "review")
DEFINED: Final = "defined here"
REFERS: Final = "refers to it"

_CONSTRUCTOR: Final = int(SymbolKind.CONSTRUCTOR)


def verified(db: Database, plan: Planned, lines: Lines) -> Verified:
    """Return the verification of `plan`; `lines` returns the present text of a file.

    Without a plan, `found` is False if the new name means no symbol or several.
    """
    if plan.edits:
        return _Verification(db, plan, lines).of_plan()
    match = all_candidates(db, find(db, plan.id or (f"{plan.new}@{plan.file}" if plan.file else plan.new)))
    subject = match.subject or _type_of(db, plan)
    if subject is None:
        sought = clean(plan.id or plan.new)
        notes = f"{match.total} nodes match '{sought}'" if match.total else f"No node matches '{sought}'."
        return Verified(
            found=False, message=notes, candidates=match.candidates, whole=False, old=plan.old, new=plan.new, planned=0,
            done=0, undone=[], unresolved=[], captured=[], left=[], collisions=[], review=[],
        )  # fmt: skip
    return _Verification(db, plan, lines).of_names(subject)


def _type_of(db: Database, plan: Planned) -> Subject | None:
    """The type among the subjects, if all others are its constructors; else None."""
    subjects = [Subject(*row[:-1]) for row in named(db, plan.new, plan.file)]
    others = [subject for subject in subjects if subject.kind != _CONSTRUCTOR]
    return others[0] if len(others) == 1 else None


class _Verification:
    """The run of one verification. Every place is reported once, with the most serious finding for it."""

    def __init__(self, db: Database, plan: Planned, lines: Lines) -> None:
        plan, self._kept_files = follow_files(plan, lines)
        self._db, self._plan, self._lines = db, plan, lines
        self._shown = functools.cache(lambda path: shown_lines(db, path, lines(path)))
        self._old, self._new = name_key(plan.old), name_key(plan.new)
        self._edits = placed_edits(plan.edits, plan.old, plan.new, lines, self._shown)
        self._noted = placed_edits(plan.review, plan.old, plan.new, lines, self._shown)
        self._subjects: list[Subject] = []
        self._family: set[int] = set()  # members that override the symbol, or are overridden, and are renamed with it
        self._seen: set[Place] = set()
        self._spots: dict[str, list[Spot]] = defaultdict(list)
        self._collisions: list[str] = []
        self._done = 0

    def of_plan(self) -> Verified:
        """Verify that the planned edits are done, and that references still lead to the symbol."""
        self._subjects = self._defined()
        self._family = self._renamed_family()
        places = self._references()
        self._count_edits(places)
        for site in self._kept_files:
            self._add("undone", site.file, site.line, site.column, site.reason)
        for placed_edit in self._noted:
            if placed_edit.is_old:
                self._add(
                    "review", placed_edit.site.file, placed_edit.line, placed_edit.column, placed_edit.site.reason
                )
        self._leftovers({edit.file for edit in self._plan.edits})
        self._find_collisions()
        self._find_duplicates()
        return self._result()

    def of_names(self, subject: Subject) -> Verified:
        """Verify by the old and the new name alone, without a plan."""
        rows = (
            self._db.all(
                "change.constructors_of", {"type": subject.id, "name": subject.name, "constructor": _CONSTRUCTOR}
            )
            if subject.kind in TYPES
            else []
        )
        self._subjects = [
            subject,
            *(
                self._subject(uid)
                for (uid,) in self._db.all("change.uids", (json.dumps([number for (number,) in rows]),))
            ),
        ]
        for number in self._namesakes(subject, self._old):
            for _, name, path, line in self._db.all("change.titles", (json.dumps([number]),)):
                self._add("left", path, line, 0, f"{name} is still defined here, next to {self._plan.new}")
        self._leftovers(())
        self._find_open(subject)
        for path, line, column in mentions(self._db, self._plan.old, self._numbers, self._lines):
            if len(self._spots["review"]) < MOST:
                self._add("review", path, line, column, "the old name in the text")
        self._find_collisions()
        return self._result()

    # definitions

    @property
    def _numbers(self) -> list[int]:
        return [subject.id for subject in self._subjects]

    def _subject(self, uid: bytes) -> Subject:
        return Subject(*self._db.row("symbols.by_uid", (uid,)) or ())

    def _named_in(self, paths: Collection[str], key: int) -> list[tuple[bytes, int, str, int, int, int | None, bool]]:
        return self._db.all("change.named_in", {"paths": json.dumps(sorted(paths)), "key": key})

    def _defined(self) -> list[Subject]:
        """The renamed symbol: the one with its id, which renaming keeps, and definitions at planned places; in a file
        with further changes, the only definition of the new name.
        """
        definitions = [edit for edit in self._edits if edit.site.reason == DEFINED]
        rows = self._named_in({item.site.file for item in definitions}, self._new)
        places = {(item.site.file, item.line) for item in definitions if item.is_done}
        chosen = [uid for uid, _, path, line, *_ in rows if (path, line) in places] or [
            uid for uid, *_ in rows if len(rows) == 1
        ]
        own = uid_of(self._plan.id)
        subjects = {item.id: item for item in map(self._subject, chosen)}
        if (
            own
            and (row := self._db.row("symbols.by_uid", (own,)))
            and (subject := Subject(*row)).name == self._plan.new
        ):
            subjects[subject.id] = subject
        if not subjects:
            path = definitions[0].site.file if definitions else self._plan.edits[0].file
            self._add("undone", path, 0, 0, f"{self._plan.new} is not defined where the plan has it")
        return list(subjects.values())

    def _renamed_family(self) -> set[int]:
        places = {(edit.site.file, edit.line) for edit in self._edits if edit.is_done}
        numbers = sorted({symbol for subject in self._subjects for symbol in name_family(self._db, subject)})
        titles = self._db.all("change.titles", (json.dumps(numbers),))
        return {number for number, _, path, line in titles if (path, line) in places}

    # references

    def _references(self) -> Counter[str]:
        """Compare each edited reference with its present target. Returns the number of other references to the symbol
        in each file.
        """
        rows = self._db.all(
            "change.referring_in",
            {"paths": json.dumps(sorted({edit.file for edit in self._plan.edits})), "key": self._new},
        )
        targets: dict[tuple[str, int], dict[int, list[int | None]]] = defaultdict(lambda: defaultdict(list))
        for path, line, column, target in rows:
            targets[path, line][column].append(target)
        known = set()
        for item in self._edits:
            if item.is_done and item.site.reason.startswith(REFERS):
                on_line = targets[item.site.file, item.line]
                known.add((item.site.file, item.line, item.column))
                self._judge(item, on_line.get(item.column) or on_line.get(-1) or [])
        ours = {*self._numbers, *self._family}
        return Counter(
            path for path, line, column, target in rows if target in ours and (path, line, column) not in known
        )

    def _judge(self, placed_edit: PlacedEdit, targets: list[int | None]) -> None:
        if set(targets) & {*self._numbers, *self._family}:
            return
        path, line, column = placed_edit.site.file, placed_edit.line, placed_edit.column
        others = [target for target in targets if target is not None]
        if others and self._subjects:
            _, name, where, at = self._db.all("change.titles", (json.dumps(others[:1]),))[0]
            self._add("captured", path, line, column, f"means {clean(name)} in {clean(where)}, line {at}, now")
        else:
            self._add(
                "unresolved", path, line, column, "referred to the symbol, and refers to nothing that is known now"
            )

    def _count_edits(self, spare: Counter[str]) -> None:
        """Count the edits that are done.

        An edit whose line no longer exists counts as done if its file has a reference to the symbol that is not in the
        plan.
        """
        for placed_edit in self._edits:
            if placed_edit.is_done:
                self._done += 1
            elif placed_edit.is_old:
                self._add(
                    "undone",
                    placed_edit.site.file,
                    placed_edit.line,
                    placed_edit.column,
                    f"{self._plan.old} still stands here",
                )
            elif spare[placed_edit.site.file]:
                spare[placed_edit.site.file] -= 1
                self._done += 1
            else:
                self._add(
                    "undone",
                    placed_edit.site.file,
                    placed_edit.site.line,
                    placed_edit.site.column,
                    "neither name stands here, and no new reference elsewhere in the file",
                )

    # uses of the old name

    def _leftovers(self, edited: Collection[str]) -> None:
        """Report references by the old name, imports of it without a target, and uses of it in edited files that have
        no meaning.
        """
        for path, line, column, _, _, key, _ in self._db.all("change.sites", (json.dumps(self._numbers),)):
            if key == self._old and self._plan.old != self._plan.new:
                self._add("left", path, line, column, "refers to it by the old name")
        mentioning = self._mentioning()
        importing = {
            path
            for (path,) in self._db.all("change.importing", {"paths": json.dumps(mentioning), "name": self._plan.old})
        }
        suspects = importing | (set(edited) & set(mentioning))
        rows = self._db.all("change.referring_in", {"paths": json.dumps(sorted(suspects)), "key": self._old})
        former = self._former_external_symbols({target for *_, target in rows if target is not None and target < 0})
        for path, line, column, target in rows:
            if target in former:
                self._add("left", path, line, column, "imports a name that is no more, or uses it")
        settled = {path for path, _, _, target in rows if target is not None} | {
            row[2] for row in self._named_in(suspects, self._old)
        }
        known = {(path, line, column) for path, line, column, _ in rows}
        for path in sorted(suspects - settled):
            for place in self._words(path):
                if place not in known:
                    reason = (
                        "imports a name that is no more, or uses it"
                        if path in importing
                        else "uses a name that means nothing here any more"
                    )
                    self._add("left", *place, reason)

    def _former_external_symbols(self, outside: Collection[int]) -> set[int]:
        """The external symbols that were created for the old name: after the renaming, references to the old name can
        look like references to other packages.
        """
        before = {
            subject.qualified_name.removesuffix(self._plan.new) + self._plan.old
            for subject in self._subjects
            if subject.qualified_name.endswith(self._plan.new)
        }
        return {
            number
            for number, name, *_ in self._db.all("change.titles", (json.dumps(sorted(outside)),))
            if name in before
        }

    def _mentioning(self) -> list[str]:
        """The files whose code contains the old name."""
        masked, result = self._old & NAME_HASH, []
        for _, path, _, names in self._db.all("world.mentions"):
            hashes = memoryview(names).cast("I")
            at = bisect_left(hashes, masked)
            if at < len(hashes) and hashes[at] == masked:
                result.append(path)
        return result

    def _words(self, path: str) -> list[Place]:
        pattern = word(self._plan.old)
        return [
            (path, number, match.start())
            for number, text in enumerate(self._lines(path), 1)
            for match in pattern.finditer(text)
        ]

    def _find_open(self, subject: Subject) -> None:
        if subject.is_member:
            parameters = {"key": self._old, "family": json.dumps(language_family(subject.language)), "limit": MOST}
            for path, line, column, _ in self._db.all("change.open_sites", parameters):
                self._add("review", path, line, column, "on a receiver of unknown type")

    # other meanings of the new name

    def _namesakes(self, subject: Subject, key: int) -> list[int]:
        rows = self._db.all("change.same_scope", (subject.parent, key))
        return [number for (number,) in rows if number not in self._numbers]

    def _find_collisions(self) -> None:
        """Report definitions of the new name in the scope of the symbol, at the top level of files that refer to it,
        and among the members that it overrides or that override it.
        """
        collisions: dict[int, str] = {}
        for subject in self._subjects:
            collisions |= dict.fromkeys(self._namesakes(subject, self._new), f"{self._plan.new} is there twice")
            if subject.may_override:
                collisions |= dict.fromkeys(
                    related_members(self._db, subject, self._new),
                    f"{self._plan.new} overrides another member, or is overridden by it",
                )
            elif not subject.is_member:
                paths = {row[0] for row in self._db.all("change.sites", (json.dumps([subject.id]),))} - {subject.path}
                collisions |= {
                    row[1]: f"{self._plan.new} means something else"
                    for row in self._named_in(paths, self._new)
                    if row[-1]
                }
        places = {(placed_edit.site.file, placed_edit.line) for placed_edit in self._noted if placed_edit.is_done}
        for number, _, path, line in self._db.all("change.titles", (json.dumps(sorted(collisions)),)):
            if number not in self._family.union(self._numbers) and (path, line) not in places:
                self._collisions.append(f"{collisions[number]}: {clean(path)}, line {line}")

    def _find_duplicates(self) -> None:
        """Report definitions of the new name that are not in the plan: in the index, two definitions of one name in one
        scope are one symbol with two places.
        """
        planned = [edit for edit in self._edits if edit.site.reason == DEFINED]
        if not planned or not all(item.is_done for item in planned):
            return
        places = {(item.site.file, item.line) for item in planned}
        for _, path, line, _ in self._db.all("change.definitions", (json.dumps(self._numbers),)):
            if (path, line) not in places:
                self._collisions.append(f"{self._plan.new} is there twice: {clean(path)}, line {line}")

    # findings

    def _add(self, kind: str, path: str, line: int, column: int, reason: str) -> None:
        if (path, line, column) not in self._seen:
            self._seen.add((path, line, column))
            self._spots[kind].append(Spot(path, line, column, clean(reason)))

    def _quoted(self, spot: Spot) -> Spot:
        """The place with its source line, for the answer."""
        return msgspec.structs.replace(spot, file=clean(spot.file), text=quoted_line(self._shown(spot.file), spot.line))

    def _result(self) -> Verified:
        counts = [(len(self._spots[kind]), kind) for kind in KINDS if kind != "review"] + [
            (len(self._collisions), "collisions")
        ]
        wrong = ", ".join(f"{count} {kind}" for count, kind in counts if count)
        edits = f"{self._done} of {len(self._edits)} edits done, " if self._edits else ""
        head = (
            f"{self._plan.old} -> {self._plan.new}: {'not whole' if wrong else 'whole'}, "
            f"{edits}{len(self._spots['review'])} to review"
        )
        shown = {kind: [self._quoted(spot) for spot in self._spots[kind][:LISTED]] for kind in KINDS}
        return Verified(
            found=True, message=clean(f"{head}: {wrong}" if wrong else head), whole=not wrong, old=self._plan.old,
            new=self._plan.new, planned=len(self._edits), done=self._done, undone=shown["undone"],
            unresolved=shown["unresolved"], captured=shown["captured"], left=shown["left"],
            collisions=self._collisions[:LISTED], review=shown["review"], note=self._plan.note,
        )  # fmt: skip
