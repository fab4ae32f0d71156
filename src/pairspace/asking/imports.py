"""Answers and groups from other tools, as steps of an answers file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pairspace.active.answer_log import AnswerLog
from pairspace.active.kinds import Answer, PairQuestion, Step
from pairspace.active.step_store import StepStore
from pairspace.constraints import is_missing
from pairspace.constraints.answers_file import AnswerStore, clean_name
from pairspace.constraints.tables import find_row, read_same, rows_of_ids

PLACED = ("placed", "implied")  # in the column ``how`` of our own tables of groups
Columns = Mapping[str, Sequence[Any]]


class Imported(NamedTuple):
    """What an import did.

    Parameters
    ----------
    n_pairs : int
        The number of answers about pairs that count now.
    n_rows : int
        The number of rows that were placed in groups, or confirmed there.
    n_groups : int
        The number of groups that were made.
    n_refused : int
        Answers that contradict those in the file: they are kept, and do not count.
    """

    n_pairs: int = 0
    n_rows: int = 0
    n_groups: int = 0
    n_refused: int = 0


def import_answers(
    store: AnswerStore, ids: Sequence[str], columns: Columns, annotator: str
) -> Imported:
    """Write the answers or groups of a table to an answers file, all of them or nothing.

    Parameters
    ----------
    store : AnswerStore
        The answers file.
    ids : sequence of str
        The names of all rows.
    columns : mapping of sequences
        The columns ``a``, ``b`` and ``same`` of pairs, or ``id`` and ``group`` of groups, and
        optionally ``annotator``. With a column ``how``, predicted groups are left out.
    annotator : str
        Who said it, where the table does not say.

    Returns
    -------
    Imported
        What became of it.
    """
    importer = _Importer(store, ids, annotator)
    with store.writing():
        if {"a", "b", "same"} <= columns.keys():
            importer.add_pairs(columns)
        elif {"id", "group"} <= columns.keys():
            importer.add_groups(columns)
        else:
            raise ValueError(
                "a table to import must have the columns a, b and same, or id and group; the "
                f"columns are {', '.join(map(repr, columns)) or 'none'}"
            )
    return importer.done


class _Importer:
    """Writes steps, and knows what the file says already."""

    def __init__(self, store: AnswerStore, ids: Sequence[str], annotator: str) -> None:
        self._ids, self._annotator = ids, annotator
        self._steps = StepStore(store)
        self._log = AnswerLog(len(ids))
        for stored in self._steps.read():
            self._log.record(stored.step)  # what contradicts earlier steps does not count
        self.done = Imported()

    def add_pairs(self, columns: Columns) -> None:
        """One step for each pair."""
        row_of = rows_of_ids(self._ids)
        for at, who in enumerate(self._annotators(columns, len(columns["same"]))):
            row, other = (self._row(row_of, columns[name][at]) for name in "ab")
            if row == other:
                raise ValueError(
                    f"a pair must be two different rows; got {columns['a'][at]!r} twice"
                )
            value = "same" if read_same(columns["same"][at], at) else "different"
            step = Step("pair", (_link(row, other, value),), reason="given")
            self._write(step, who, n_pairs=1)

    def add_groups(self, columns: Columns) -> None:
        """One step for each group and annotator."""
        row_of = rows_of_ids(self._ids)
        how = columns.get("how", [PLACED[0]] * len(columns["id"]))
        said_by = self._annotators(columns, len(columns["id"]))
        groups: dict[tuple[str, str], list[int]] = {}
        for name, group, known, who in zip(
            columns["id"], columns["group"], how, said_by, strict=True
        ):
            if is_missing(group) or not str(group).strip() or known not in PLACED:
                continue
            row = self._row(row_of, name)
            groups.setdefault((" ".join(str(group).split()), who), []).append(row)
        for (name, who), rows in groups.items():
            self._add_group(name, list(dict.fromkeys(rows)), who)

    def _add_group(self, name: str, rows: list[int], who: str) -> None:
        log = self._log
        target = next((group for group in log.groups if group.title == name), None)
        number = log.next_number if target is None else target.number
        # A row that is in another group would join the two: the answer is kept for comparison.
        fits = [row for row in rows if log.group_of(row) in (None, target)]
        founds: tuple[tuple[int, int], ...] = ()
        answers: list[Answer] = []
        if target is None and fits:
            anchor = fits[0]
            founds = ((anchor, number),)
            answers += [_link(anchor, group.anchor, "different") for group in log.groups]
        elif target is not None:
            anchor = target.anchor
        answers += [_link(row, anchor, "same") for row in fits if row != anchor]
        if fits:
            step = Step(
                "pick",
                tuple(answers),
                founds=founds,
                names=((number, name),) if founds else (),
                number=number,
                reason="given",
                looked=tuple(fits),
            )
            self._write(step, who, n_rows=len(fits), n_groups=len(founds))
            anchor = next(group for group in log.groups if group.number == number).anchor
        for row in rows:
            if row not in fits and (fits or target is not None):
                said = (_link(row, anchor, "same"),)
                self._refuse(Step("board", said, number=number, reason="given", looked=(row,)), who)
            elif row not in fits:
                self.done = self.done._replace(n_refused=self.done.n_refused + 1)

    def _write(self, step: Step, who: str, **counts: int) -> None:
        if self._log.record(step) is not None:
            self._refuse(step, who)
            return
        self._steps.add(step, who, {})
        more = {name: getattr(self.done, name) + count for name, count in counts.items()}
        self.done = self.done._replace(**more)

    def _refuse(self, step: Step, who: str) -> None:
        self._steps.add_refused(step, who)
        self.done = self.done._replace(n_refused=self.done.n_refused + 1)

    def _row(self, row_of: dict[str, int], name: Any) -> int:
        row = find_row(row_of, name)
        if row is None:
            raise ValueError(f"the data has no row with the id {str(name)[:100]!r}")
        return row

    def _annotators(self, columns: Columns, n_rows: int) -> list[str]:
        given = columns.get("annotator", [None] * n_rows)
        names = [
            self._annotator if is_missing(each) or not str(each).strip() else each for each in given
        ]
        return [clean_name(str(name)) for name in names]


def _link(row: int, other: int, value: Any) -> Answer:
    return Answer(PairQuestion((row, other), "given"), value)
