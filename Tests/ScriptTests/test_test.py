"""Runs Scripts/test with a toolchain that fails."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TEST = Path(__file__).resolve().parents[2] / "Scripts" / "test"


class TestTest(unittest.TestCase):
    def test_a_build_that_fails_is_the_status_of_the_run_and_all_that_it_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            swift = Path(folder, "swift")
            swift.write_text('#!/bin/bash\necho "$1 failed" >&2\nexit 3\n')
            swift.chmod(0o755)
            run = subprocess.run([TEST, "--filter", "nothing"], capture_output=True, text=True,
                                 env={**os.environ, "CALLSIGN_PYTHON": sys.executable, "PATH": f"{folder}:{os.environ['PATH']}"})
            self.assertEqual(run.returncode, 3)
            self.assertEqual(run.stderr.splitlines()[-1], "build failed")


if __name__ == "__main__":
    unittest.main()
