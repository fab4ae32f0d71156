"""The engine: tables, graphs, eigenproblems, neighbours, kernels. No public name is in it."""
