"""Random inputs for all public names of pairspace: ``make fuzz``. See docs/results/trust.md."""
