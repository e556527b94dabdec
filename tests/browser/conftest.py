"""A served memory and a real browser that complains when a page does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = """
    --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update
    --disable-sync
""".split()
OF_THE_DRIVER = "GL Driver Message"
"""Software GL remarks that reading pixels is slow there; it is no complaint of the page's."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for each module: its driver holds the event loop of the process, and other tests need one of their own."""
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    with sync_playwright() as playwright:
        executable = next((path for path in (*found, playwright.chromium.executable_path) if path), "")
        if not Path(executable).exists():
            pytest.skip("NO BROWSER: THE PAGES WERE NOT TESTED IN ONE. `apt-get install -y chromium` mends it.")
        opened = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page. However a test uses it: nothing in the console, no policy violated, no markup of a memory's obeyed,
    no request leaves this machine."""
    options = {"viewport": {"width": 1280, "height": 900}, **getattr(request, "param", {})}
    context = browser.new_context(base_url=address, **options)
    context.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective))"
    )
    opened = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    opened.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    context.on("request", lambda sent: requests.append(sent.url))
    yield opened
    obeyed = opened.evaluate("window.obeyed") if options.get("java_script_enabled", True) else None
    context.close()
    assert obeyed is None
    assert [one for one in complaints if OF_THE_DRIVER not in one] == []
    assert {urlsplit(url).hostname for url in requests} == {"127.0.0.1"}
