"""The two ways in which each step calls a server: `callsign call`, and a program with generated Swift."""

import json
import os
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]


def run(command, environment=None, seconds=600):
    return subprocess.run([str(part) for part in command], capture_output=True, env=environment, timeout=seconds)


def checked(command, environment=None, seconds=600):
    done = run(command, environment, seconds=seconds)
    output = (done.stdout + done.stderr).decode(errors="replace")
    assert done.returncode == 0, f"{Path(command[0]).name} {command[1]}: {important(output)}"


def important(output):
    """The errors of a build, or the end of other output."""
    errors = [line for line in output.splitlines() if "error:" in line]
    return "\n".join(errors[:3]) or output[-1000:]


class Way:
    """Makes the call of a step."""

    name = ""

    def __init__(self, server, callsign):
        self.server = server
        self.callsign = callsign
        self.document = server.folder / server.document_name
        if server.overlay:
            self.document.with_suffix(".overlay.yaml").write_text(server.overlay)
        home = server.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("CALLSIGN_")},
            "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_DATA_HOME": str(home / "data"),
            **server.environment}

    def prepare(self):
        """Reads the document."""

    def command(self, step):
        """The command that makes the call of a step."""

    def bytes(self, step):
        """The output of a call that succeeds."""
        done = run(self.command(step), self.environment)
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout

    def __call__(self, step):
        """The output of a call that succeeds, as JSON."""
        output = self.bytes(step)
        return json.loads(output) if output.strip() else None

    def lines(self, step):
        """The records of a stream."""
        return [json.loads(line) for line in self.bytes(step).splitlines()]

    def refusal(self, step):
        """The message of a call that fails."""
        done = run(self.command(step), self.environment)
        words = done.stderr.decode(errors="replace")
        assert done.returncode == 1, f"exit status {done.returncode}: {words}"
        return words


class CallsignCall(Way):
    name = "call"

    def prepare(self):
        catalogue = self.server.folder / "catalogue"
        shutil.rmtree(catalogue, ignore_errors=True)
        checked([self.callsign, "import-openapi", self.document, "--into", catalogue, *self.server.package_options],
                self.environment)
        checked([self.callsign, "call", *self.server.call_options, self.document], self.environment)

    def command(self, step):
        return [self.callsign, "call", *self.server.call_options, self.document, *self.server.calls()[step],
                "--base-url", self.server.base + self.server.path]


class GeneratedSwift(Way):
    name = "Swift"

    def prepare(self):
        """Makes a package of the operations that the steps need, and builds the program that calls them."""
        name = self.server.name
        place = self.server.folder / "swift"
        operations = sorted({words[0] for words in self.server.calls().values()})
        if self.server.overlay:
            (place / f"{name}Kit").mkdir(parents=True, exist_ok=True)
            (place / f"{name}Kit" / f"{name}.overlay.yaml").write_text(self.server.overlay)
        checked([self.callsign, "package", self.document, "--name", name, "--into", place / f"{name}Kit", "--operations",
                 ",".join(operations), "--callsign-path", ROOT, "--quiet", *self.server.package_options],
                self.environment)
        sources = place / "Sources" / f"Try{name}"
        sources.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / "Steps.swift", sources)
        shutil.copy(FOLDER / f"{name}.swift", sources / "main.swift")
        (place / "Package.swift").write_text((FOLDER / "Package.swift.template").read_text().replace("NAME", name).replace(
            "CALLSIGN", str(ROOT)))
        # The examples' folder has Callsign already built.
        build = ["swift", "build", "--package-path", place, "--scratch-path", ROOT / ".build-examples",
                 "--disable-build-manifest-caching"]
        checked([*build, "--product", f"Try{name}"], seconds=3600)
        self.program = Path(run([*build, "--show-bin-path"]).stdout.decode().strip()) / f"Try{name}"

    def command(self, step):
        return [self.program, self.server.base + self.server.path, step, *self.server.values()]
