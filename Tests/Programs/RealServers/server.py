"""The common parts of all servers: how they are installed, started and stopped, and how plain HTTP calls them."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timedelta


class NotInstalled(Exception):
    """A server could not be installed."""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def same(value, plain):
    """Fails if a value differs from plain HTTP's. A typed value has no members that are null, and writes dates in its own way."""
    assert alike(value, plain), f"{shortened(value)} is not {shortened(plain)}"


def alike(value, plain):
    if isinstance(value, dict) and isinstance(plain, dict):
        return all(alike(value.get(name), plain.get(name)) for name in {*value, *plain})
    if isinstance(value, list) and isinstance(plain, list):
        return len(value) == len(plain) and all(map(alike, value, plain))
    if isinstance(value, bool) != isinstance(plain, bool):
        return False
    if value == plain:
        return True
    one, other = moment(value), moment(plain)
    # A typed date is written in milliseconds.
    return None not in (one, other) and abs(one - other) <= timedelta(milliseconds=1)


def moment(text):
    """The time that a text names."""
    if not isinstance(text, str) or len(text) < 19 or text[10] != "T":
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def shortened(value):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) < 300 else text[:300] + "…"


class Server:
    """A server on loopback. Subclasses have a method for each step that the server knows. The method gets the way of calling,
    and compares what comes back with plain HTTP."""

    # The type in Swift, and the document's file.
    name = ""
    document_name = ""
    # The path of the API on the server.
    path = ""
    # Variables of the environment with the credentials of `callsign call`.
    environment = {}
    # Options that come before the document of `callsign call`, and options of `callsign package`.
    call_options = []
    package_options = []
    # Corrections to the document.
    overlay = ""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process = None
        # Names what a way of calling creates, so that the ways do not meet.
        self.mark = ""
        folder.mkdir(parents=True, exist_ok=True)

    # What subclasses have.

    def install(self, seconds):
        """Installs the server, or raises NotInstalled."""

    def run(self):
        """Starts the server, and prepares what the steps need."""

    def document(self):
        """The OpenAPI document as the server publishes it."""
        return self.http("GET", "/openapi.json")[1]

    def prepare(self):
        """Prepares what the steps of one way need. `mark` names the way."""

    def calls(self):
        """The operation and the arguments of each call through `callsign call`, by step."""
        return {}

    def values(self):
        """The arguments of the program in Swift, after the base URL and the step."""
        return [self.mark]

    def headers(self):
        return {}

    # What subclasses use.

    def http(self, method, path, body=None, headers=None, files=None):
        """The status and the bytes of a response."""
        headers = {"Accept": "*/*", **(self.headers() if headers is None else headers)}
        data = None
        if files is not None:
            boundary = uuid.uuid4().hex
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            data = b"".join(
                f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
                + (f'; filename="{file}"'.encode() if file else b"") + b"\r\n\r\n" + content + b"\r\n"
                for name, (file, content) in files.items()) + f"--{boundary}--\r\n".encode()
        elif body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def json(self, path, method="GET", body=None):
        return json.loads(self.http(method, path, body)[1])

    def start(self, command, environment=None, place=None):
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=place or self.folder,
                env={**os.environ, **(environment or {})}, start_new_session=True)

    def wait(self, path):
        """Waits until the server responds, and fails if it ends or takes too long."""
        for _ in range(600):
            try:
                if self.http("GET", path)[0] < 500:
                    return
            except OSError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.5)
        raise RuntimeError(f"the server did not start; see {self.folder / 'log'}")

    def stop(self):
        """Ends the server, with the processes that it has started."""
        if not self.process:
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(20)
                if number == signal.SIGKILL:
                    return
            except ProcessLookupError:
                return
            except subprocess.TimeoutExpired:
                pass

    def install_python(self, package, seconds):
        """Installs a package into a separate Python environment."""
        place = self.folder / "python"
        if (place / "done").exists():
            return
        command = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
        try:
            if not (place / "bin" / "pip").exists():
                subprocess.run([sys.executable, "-m", "venv", place], check=True, capture_output=True)
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise NotInstalled(f"pip takes longer than {seconds} s to install {package}") from None
        except (subprocess.CalledProcessError, OSError) as error:
            said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
            raise NotInstalled(f"pip could not install {package}: {said[-1] if said else error}") from None
        (place / "done").touch()

    def program(self, name):
        """A program of the server's Python environment."""
        return self.folder / "python" / "bin" / name
