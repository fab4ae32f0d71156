"""A real browser for the tests of what people see."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",  # which a container's root has not
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, driven by Playwright; without it the test is skipped.

    Where PAIRSPACE_REQUIRE_BROWSER is set, as in CI, a missing browser is an error instead.
    """
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        message = f"needs a browser: install one of {', '.join(CHROMIUM)}"
        if os.environ.get("PAIRSPACE_REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")  # the processes cost time as long as they live
def cluster() -> Iterator[Any]:
    """A client of two worker processes, each with a thread and little memory."""
    from dask import config
    from distributed import Client, LocalCluster

    with (
        config.set({"distributed.comm.timeouts.connect": "120s"}),  # a busy machine starts slowly
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            memory_limit="1GiB",
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any free port: several clusters may run at once
        ) as machines,
        Client(machines) as client,
    ):
        yield client
