"""Answers about pairs as the JSON that Label Studio imports and exports.

A task is a pair: its data has the ids ``a`` and ``b``, and what is shown, ``row`` and ``other``.
Answers of people are annotations, those of programs predictions, both with the tag Choices. The
labelling interface that goes with it is :data:`CONFIG`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable
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
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        json.dump(list(tasks.values()), file, ensure_ascii=False, indent=1)


def _choice(word: str) -> dict[str, Any]:
    return {
        "from_name": "same",
        "to_name": "row",
        "type": "choices",
        "value": {"choices": [word]},
    }


def read_tasks(path: str | os.PathLike[str], text: str) -> dict[str, list[Any]]:
    """Read the annotations of exported tasks, without those that are cancelled or "not sure".

    Parameters
    ----------
    path : path
        The file, for messages.
    text : str
        Its content.

    Returns
    -------
    dict
        The columns a, b and same.
    """
    try:
        tasks = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if not isinstance(tasks, list):
        raise ValueError(f"{path} must be a list of Label Studio tasks")
    columns: dict[str, list[Any]] = {"a": [], "b": [], "same": []}
    for number, task in enumerate(tasks):
        try:
            data = task["data"]
            ends = data["a"], data["b"]
            annotations = [each for each in task["annotations"] if not each.get("was_cancelled")]
            words = [word for word in map(_word, annotations) if word is not None]
        except (KeyError, TypeError, AttributeError):
            raise ValueError(
                f"{path}: task {number} must have annotations, and a and b in its data: export it "
                "from Label Studio as JSON, not JSON-MIN"
            ) from None
        for word in words:
            if word == NOT_SURE:
                continue
            if word not in SAME:
                raise ValueError(
                    f"{path}: task {number}: the choice must be 'same', 'different' or 'not sure'; "
                    f"got {word!r}"
                )
            for name, value in zip(columns, (*ends, SAME[word]), strict=True):
                columns[name].append(value)
    return columns


def _word(annotation: dict[str, Any]) -> Any:
    """The choice of an annotation; None if it has none."""
    for result in annotation.get("result") or ():
        if result.get("type") == "choices" and result.get("from_name") == "same":
            choices = (result.get("value") or {}).get("choices") or [None]
            return choices[0]
    return None
