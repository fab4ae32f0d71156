"""Answers about pairs, and groups, as the JSON that Label Studio imports and exports.

A task is a pair: its data has the ids ``a`` and ``b``, and what is shown, ``row`` and ``other``.
Answers of people are annotations, those of programs predictions, both with the tag Choices. The
labelling interface that goes with it is :data:`CONFIG`.

A row in a group is a task of its own: its data has the columns of the row, and the choice of the
tag ``group`` is the name of the group.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from pairspace._core.files import replacing

CONFIG = """<View>
  <Text name="row" value="$row"/>
  <Text name="other" value="$other"/>
  <Choices name="same" toName="row" choice="single">
    <Choice value="same"/>
    <Choice value="different"/>
    <Choice value="not sure"/>
  </Choices>
</View>"""
SAME_TAG, GROUP = "same", "group"  # the names of the tags
NOT_SURE = "not sure"
SAME = {"same": True, "different": False}


def write_tasks(
    path: str | os.PathLike[str],
    answers: Iterable[Any],
    *,
    programs: Collection[str] = (),
    shown: Callable[[int, str], str] | None = None,
) -> None:
    """Write answers as tasks.

    Parameters
    ----------
    path : path
        The file to write.
    answers : iterable of StoredAnswer
        The answers, also "not sure".
    programs : collection of str, default=()
        The annotators that are programs.
    shown : callable, default=None
        The text to show of a row, given its number and id; the id by default.
    """
    tasks: dict[tuple[int, int], dict[str, Any]] = {}
    for answer in answers:
        if answer.pair not in tasks:
            ends = [(answer.a_row, answer.a), (answer.b_row, answer.b)]
            row, other = ((name if shown is None else shown(at, name)) for at, name in ends)
            data = {"a": answer.a, "b": answer.b, "row": row, "other": other, "annotators": []}
            tasks[answer.pair] = {"data": data, "annotations": [], "predictions": []}
        task = tasks[answer.pair]
        word = NOT_SURE if answer.same is None else "same" if answer.same else "different"
        result = [_choice(word)]
        if answer.annotator in programs:
            task["predictions"].append({"model_version": answer.annotator, "result": result})
        else:
            # Label Studio has numbers of its users, which nobody knows here.
            task["data"]["annotators"].append(answer.annotator)
            task["annotations"].append({"result": result, "was_cancelled": False})
    _write(path, list(tasks.values()))


def write_group_tasks(
    path: str | os.PathLike[str],
    rows: Iterable[dict[str, Any]],
    groups: Iterable[tuple[str, float, bool]],
) -> None:
    """Write rows with their groups as tasks.

    Parameters
    ----------
    path : path
        The file to write.
    rows : iterable of dict
        The columns of each row: the data of its task.
    groups : iterable of (name, confidence, placed)
        The group of each row. If it is ``placed`` by an answer it is an annotation, otherwise a
        prediction with its confidence as score. A row whose name is empty has neither.
    """
    tasks = []
    for data, (name, confidence, placed) in zip(rows, groups, strict=True):
        result = [_choice(name, GROUP)]
        annotation = {"result": result, "was_cancelled": False}
        prediction = {"model_version": "pairspace", "score": confidence, "result": result}
        tasks.append(
            {
                "data": data,
                "annotations": [annotation] if name and placed else [],
                "predictions": [prediction] if name and not placed else [],
            }
        )
    _write(path, tasks)


def _write(path: str | os.PathLike[str], tasks: list[Any]) -> None:
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        json.dump(tasks, file, ensure_ascii=False, indent=1, allow_nan=False)


def _choice(word: str, tag: str = SAME_TAG) -> dict[str, Any]:
    return {
        "from_name": tag,
        "to_name": "row",
        "type": "choices",
        "value": {"choices": [word]},
    }


def read_tasks(path: str | os.PathLike[str], text: str) -> dict[str, list[Any]]:
    """Read the answers about pairs of exported tasks, without those cancelled or "not sure".

    Parameters
    ----------
    path : path
        The file, for messages.
    text : str
        Its content.

    Returns
    -------
    dict
        The columns a, b and same, and who said it if the export says so.
    """
    columns: dict[str, list[Any]] = {"a": [], "b": [], "same": [], "annotator": []}
    for number, data, said in _annotated(path, text, ("a", "b"), SAME_TAG):
        for who, word in said:
            if word == NOT_SURE:
                continue
            if word not in SAME:
                raise ValueError(
                    f"{path}: task {number}: the choice must be 'same', 'different' or 'not sure'; "
                    f"got {word!r}"
                )
            for name, value in zip(columns, (data["a"], data["b"], SAME[word], who), strict=True):
                columns[name].append(value)
    if not any(columns["annotator"]):
        del columns["annotator"]
    return columns


def read_group_tasks(path: str | os.PathLike[str], text: str, id: str) -> dict[str, list[Any]]:
    """Read the groups of exported tasks, without those cancelled.

    Parameters
    ----------
    path : path
        The file, for messages.
    text : str
        Its content.
    id : str
        The field of the data that has the ids of the rows.

    Returns
    -------
    dict
        The columns id, group and annotator.
    """
    columns: dict[str, list[Any]] = {"id": [], "group": [], "annotator": []}
    for _, data, said in _annotated(path, text, (id,), GROUP):
        for who, word in said:
            for name, value in zip(columns, (data[id], word, who), strict=True):
                columns[name].append(value)
    return columns


def has_groups(path: str | os.PathLike[str], text: str) -> bool:
    """Whether the tasks of an export are rows in groups, not pairs."""
    return any("a" not in data or "b" not in data for _, data, _ in _annotated(path, text, (), ""))


def _annotated(
    path: str | os.PathLike[str], text: str, fields: Sequence[str], tag: str
) -> Iterator[tuple[int, dict[str, Any], list[tuple[str, Any]]]]:
    """The number and the data of each task, and who made which choice of a tag."""
    try:
        tasks = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if not isinstance(tasks, list):
        raise ValueError(f"{path} must be a list of Label Studio tasks")
    for number, task in enumerate(tasks):
        try:
            data = {**task["data"]}
            annotated = [each for each in task["annotations"] if not each.get("was_cancelled")]
            said = list(_choices(data, annotated, tag))
            if not data.keys() >= {*fields}:
                raise KeyError
        except (KeyError, TypeError, AttributeError):
            wanted = " and ".join(fields) or "columns"
            raise ValueError(
                f"{path}: task {number} must have annotations, and {wanted} in its data: export it "
                "from Label Studio as JSON, not JSON-MIN"
            ) from None
        yield number, data, said


def _choices(data: dict[str, Any], annotations: list[Any], tag: str) -> Iterator[tuple[str, Any]]:
    """Who made each annotation, and the choice."""
    names = data.get("annotators")
    known = names if isinstance(names, list) and len(names) == len(annotations) else None
    for at, annotation in enumerate(annotations):
        for result in annotation.get("result") or ():
            if result.get("type") == "choices" and result.get("from_name") == tag:
                choices = (result.get("value") or {}).get("choices") or [None]
                if choices[0] is not None:
                    yield (
                        _who(annotation.get("completed_by"), known[at] if known else ""),
                        choices[0],
                    )
                break


def _who(user: Any, known: str) -> str:
    """The name of a user: Label Studio exports a number, or an object with an e-mail address."""
    if isinstance(user, dict):
        user = user.get("email") or user.get("id")
    if user is None or user == "":
        return str(known)
    return f"user {user}" if isinstance(user, int) else str(user)
