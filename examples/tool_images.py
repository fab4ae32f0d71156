"""Make the pictures of docs/guide/tool.md: python examples/tool_images.py docs/images

The script opens the report in Chromium. It needs Playwright and Chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

folder = Path(sys.argv[1]).resolve()
here = Path(__file__).resolve().parent
chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))))

with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    subprocess.run([sys.executable, here / "wine.py"], check=True)
    words = "compare wine.csv --id bottle --pairs answers.csv --labels grape -o report.html"
    subprocess.run([sys.executable, "-m", "pairspace.tool.cli", *words.split()], check=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 900, "height": 700})
        page.goto(Path("report.html").resolve().as_uri())
        page.screenshot(path="whole.png", full_page=True)
        browser.close()

    # Half the size: the picture is an overview.
    from PIL import Image

    whole = Image.open("whole.png").convert("RGB")
    small = whole.resize((whole.width // 2, whole.height // 2), Image.Resampling.LANCZOS)
    small.quantize(128).save(folder / "report.png", optimize=True)  # a third of the size
    print(folder / "report.png", (folder / "report.png").stat().st_size, "bytes")
