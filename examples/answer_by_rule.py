"""Answers by a rule: pairspace ask shop.csv --id sku --text title --with "python answer_by_rule.py"

Two titles are the same kind of thing if their last words are equal.
"""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    kind = str(question["row"]).split()[-1].lower()
    if question["kind"] == "pair":
        answer = "same" if kind == str(question["other"]).split()[-1].lower() else "different"
    else:
        kinds = {str(g["examples"][0]).split()[-1].lower(): g["group"] for g in question["groups"]}
        answer = kinds.get(kind, "new")
    print(json.dumps({"id": question["id"], "answer": answer, "name": kind}), flush=True)
