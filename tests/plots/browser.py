"""A headless Chromium with its own profile, driven by Debian's chromedriver. Without them, its tests are skipped."""

import base64
import io
import shutil
import tempfile
import time
import unittest
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

_BROWSER, _DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
# No sandbox: tests may run as root. The browser must not contact any server.
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()


def _missing():
    """The Debian package that is not installed, or None."""
    if webdriver is None:
        return "python3-selenium"
    packages = {_BROWSER: "chromium", _DRIVER: "chromium-driver"}
    return next((package for path, package in packages.items() if not Path(path).exists()), None)


class Browser:
    """SkipTest if a package is missing."""

    def __init__(self):
        missing = _missing()
        if missing:
            raise unittest.SkipTest(f"{missing} is not installed")
        self._profile = tempfile.mkdtemp()
        options = Options()
        options.binary_location = _BROWSER
        for flag in [*_FLAGS, f"--user-data-dir={self._profile}"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self._driver = webdriver.Chrome(service=Service(_DRIVER), options=options)

    def close(self):
        self._driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(self, path, width):
        """Loads the file in a window with this many pixels; below 500 it is a phone's."""
        look = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self._driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", look)
        self._driver.get(path.resolve().as_uri())

    def run(self, script):
        return self._driver.execute_script(script)

    def soon(self, condition, seconds=60):
        """Whether the script `condition` returns true within that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(condition):
                return True
            time.sleep(0.1)
        return False

    def drawn(self):
        return self.soon("return document.body.classList.contains('drawn')")

    def click(self, selector):
        """Moves the mouse to the first element found."""
        element = self._driver.find_element("css selector", selector)
        self._driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        webdriver.ActionChains(self._driver).move_to_element(element).click().perform()

    def darken(self):
        """From here on the reader prefers dark pages, and the browser darkens those that do not refuse it."""
        dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
        self._driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
        self._driver.execute_cdp_cmd("Emulation.setAutoDarkModeOverride", {"enabled": True})

    def picture(self):
        """The pixels of the window, as rows of RGBA."""
        from matplotlib.image import imread

        shot = self._driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        return imread(io.BytesIO(base64.b64decode(shot["data"])))

    def print_media(self):
        self._driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})

    def messages(self):
        """The lines on the console."""
        return [entry["message"] for entry in self._driver.get_log("browser")]
