"""Runs Scripts/internal/check-user-build with a toolchain that prints what a test wants."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "internal" / "check-user-build"


class CheckUserBuildTest(unittest.TestCase):
    def check(self, printed, *options, status=0):
        with tempfile.TemporaryDirectory() as folder:
            swift = Path(folder, "swift")
            # The package that is depended on is a repository with the working tree and a tag.
            swift.write_text(f"#!/bin/bash\ntest -e \"$3/../callsign/Package.swift\" || exit 1\n"
                             f"git -C \"$3/../callsign\" rev-parse -q --verify 1.0.0 || exit 1\necho '{printed}'\nexit {status}\n")
            swift.chmod(0o755)
            return subprocess.run([SCRIPT, *options], capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})

    def test_a_silent_build_is_checked_in_both_configurations(self):
        run = self.check("Build complete!")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual([line.split("(")[0] for line in run.stdout.splitlines()],
                         [f"A user's {name} build prints no warnings and no remarks " for name in ("debug", "release")])

    def test_warnings_and_remarks_are_shown_and_fail(self):
        lines = ["Incremental compilation has been disabled: it is not compatible", "a.swift:1:2: remark: slow",
                 "b.swift:1:2: warning: unused", "ignoring -num-threads argument"]
        run = self.check("\n".join(["Building for debugging...", *lines, "Build complete!"]), "--debug")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(sorted(line.split(maxsplit=1)[1] for line in run.stdout.splitlines()), lines)
        self.assertIn("debug", run.stderr)

    def test_a_build_that_fails_is_an_error(self):
        run = self.check("a.swift:1:2: error: no", "--debug", status=1)
        self.assertEqual(run.returncode, 1)
        self.assertIn("error: no", run.stdout)

    def test_bad_arguments(self):
        self.assertEqual(self.check("", "--all").returncode, 2)


if __name__ == "__main__":
    unittest.main()
