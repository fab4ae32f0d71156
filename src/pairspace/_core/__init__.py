"""The engine: tables, graphs, eigenproblems, neighbours, kernels. It has no public names."""
