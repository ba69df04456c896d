"""Runs Scripts/internal/retrying/swift before a toolchain that crashes, fails or works."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

RETRYING = Path(__file__).resolve().parents[2] / "Scripts" / "internal" / "retrying"


class RetryingTest(unittest.TestCase):
    def run_swift(self, first, second="exit 0"):
        """The exit code, what is printed, and the arguments of each run of a toolchain that does this, and then that."""
        with tempfile.TemporaryDirectory() as folder:
            toolchain = Path(folder, "toolchain")
            toolchain.mkdir()
            runs = Path(folder, "runs")
            swift = toolchain / "swift"
            swift.write_text(f'#!/bin/bash\nif [ -e "{runs}" ]; then again=yes; fi\nprintf "%s|" "$@" >>"{runs}"\n'
                             f'echo >>"{runs}"\nif [ -z "${{again:-}}" ]; then {first}; else {second}; fi\n')
            swift.chmod(0o755)
            run = subprocess.run(["swift", "test", "--filter", "a b"], capture_output=True, text=True,
                                 env={**os.environ, "PATH": f"{RETRYING}:{toolchain}:{os.environ['PATH']}"})
            return run.returncode, run.stdout + run.stderr, runs.read_text().splitlines()

    def test_a_crash_is_told_and_the_command_run_once_more(self):
        for signal in ("SEGV", "ILL", "TRAP", "ABRT", "BUS"):
            with self.subTest(signal):
                code, printed, runs = self.run_swift(f"kill -{signal} $$", "echo built")
                self.assertEqual((code, runs), (0, ["test|--filter|a b|"] * 2))
                self.assertIn("warning: swift test crashed", printed)
                self.assertIn("built", printed)

    def test_a_failure_is_not_repeated(self):
        for first, code in (("exit 1", 1), ("exit 64", 64), ("kill -TERM $$", 143), ("kill -KILL $$", 137)):
            with self.subTest(first):
                status, printed, runs = self.run_swift(first)
                self.assertEqual((status, runs), (code, ["test|--filter|a b|"]))
                self.assertNotIn("warning", printed)

    def test_a_command_that_crashes_again_has_failed(self):
        code, _, runs = self.run_swift("kill -SEGV $$", "kill -SEGV $$")
        self.assertIn(code, (139, -11))
        self.assertEqual(len(runs), 2)

    def test_success_is_passed_on(self):
        self.assertEqual(self.run_swift("echo done"), (0, "done\n", ["test|--filter|a b|"]))


if __name__ == "__main__":
    unittest.main()
