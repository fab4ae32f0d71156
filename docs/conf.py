"""The documentation site: ``make docs`` builds it into build/docs.

Nothing is fetched when a page is opened: fonts and scripts come with the theme, and formulas are
MathML, which browsers draw themselves.
"""

from __future__ import annotations

import os
import re
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

import pairspace

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two BLAS libraries wait for each other

project = "pairspace"
author = "The pairspace developers"
copyright = "The pairspace developers"
version = release = pairspace.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_templates", "**/GALLERY_HEADER.rst"]
templates_path = ["_templates"]
nitpicky = True
# Names of other libraries are not looked up: their sites can't be reached while this one is built.
nitpick_ignore_regex = [("py:.*", r"(?!pairspace).*")]

# ---- Pages -----------------------------------------------------------------------------------

myst_enable_extensions = ["colon_fence", "deflist"]
smartquotes = False  # quotes are mostly those of values
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# ---- API reference ---------------------------------------------------------------------------

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False  # the template lists them
numpydoc_xref_param_type = False

# ---- Gallery ---------------------------------------------------------------------------------

sphinx_gallery_conf = {
    "examples_dirs": ["../examples/gallery"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "subsection_order": [
        f"../examples/gallery/{section}" for section in ("groups", "spaces", "data", "methods")
    ],
    "within_subsection_order": "FileNameSortKey",
    "doc_module": ("pairspace",),
    "reference_url": {"pairspace": None},
    "backreferences_dir": "gallery/backreferences",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "min_reported_time": 1e9,  # times differ from machine to machine
    "parallel": 2,
    "matplotlib_animations": False,
}

# ---- Look ------------------------------------------------------------------------------------

html_theme = "pydata_sphinx_theme"
html_title = "pairspace"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["pairspace.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_theme_options: dict[str, Any] = {
    "logo": {
        "text": "pairspace",
        "image_light": "_static/logo.svg",
        "image_dark": "_static/logo.svg",
    },
    "header_links_before_dropdown": 6,
    "show_nav_level": 1,
    "show_toc_level": 2,
    "navigation_depth": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "start": [], "changelog": [], "glossary": []}


def skip_others(
    app: Any, what: str, name: str, value: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out what every estimator of scikit-learn has: set_output, set_fit_request."""
    of_others = str(getattr(value, "__module__", "")).startswith("sklearn.")
    return True if of_others or re.fullmatch(r"set_\w+_request", name) else None


def visit_math(self: Any, node: nodes.math) -> None:
    self.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_math_block(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> None:
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("autodoc-skip-member", skip_others)


html_math_renderer = "mathml"
