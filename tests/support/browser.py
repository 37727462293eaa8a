"""Chromium without a window. It and its driver are Debian's (apt install chromium chromium-driver); the package
selenium drives them."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def chromium(profile: Path, downloads: Path | None = None) -> Iterator[Any]:
    """A driver of a browser whose data are in a folder of its own; what it downloads goes into another."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for argument in (
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-quic", f"--user-data-dir={profile}",
    ):  # fmt: skip
        options.add_argument(argument)
    if downloads is not None:
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = shutil.which("chromium") or ""
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()
