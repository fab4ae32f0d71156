"""A contract for import-linter: a private module is imported only from inside its own package."""

from __future__ import annotations

from typing import Any

from importlinter import Contract, ContractCheck, output


class PrivateModulesContract(Contract):
    """``a.b._c`` may be imported by ``a.b`` and all that is below it."""

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Find the imports that reach into another package."""
        wrong = [
            (importer, imported)
            for imported in sorted(graph.modules)
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if not _may_import(importer, imported)
        ]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print them."""
        for importer, imported in check.metadata["wrong"]:
            output.print_error(f"{importer} imports the private {imported}")


def _may_import(importer: str, imported: str) -> bool:
    parts = imported.split(".")
    homes = [".".join(parts[:at]) for at, part in enumerate(parts) if part.startswith("_")]
    return all(importer == home or importer.startswith(f"{home}.") for home in homes)
