"""How Sphinx builds the manual. CI builds it with `-W`: a warning is an error."""

from __future__ import annotations

import sys
from pathlib import Path

from truthsayer.version import installed_version

sys.path.append(str(Path(__file__).parent / "_ext"))

project = "Truthsayer"
release = installed_version() or "source"
extensions = ["myst_parser", "highlighting", "error_codes"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nitpicky = True
html_theme = "furo"
html_title = f"Truthsayer {release}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_show_copyright = False
html_show_sphinx = False
exclude_patterns = ["_ext", "**/node_modules"]
