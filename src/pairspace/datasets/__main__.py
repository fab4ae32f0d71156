"""``python -m pairspace.datasets`` prints the catalogue as a Markdown table."""

from pairspace.datasets._catalogue import markdown_table

print(markdown_table())
