"""Runs parts of Scripts/internal/try-servers without a server."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "internal" / "try-servers"


def load():
    loader = importlib.machinery.SourceFileLoader("try_servers", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("try_servers", loader))
    loader.exec_module(module)
    return module


class TryServersTest(unittest.TestCase):
    script = load()

    def run_script(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True,
                              env={**os.environ, **environment})

    def test_a_server_that_cannot_be_installed_fails_or_is_skipped_with_the_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            nothing = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": folder}
            run = self.run_script("kinto", "--folder", folder, **nothing)
            self.assertEqual(run.returncode, 1)
            self.assertIn("error: Kinto: pip could not install kinto", run.stderr)
            run = self.run_script("kinto", "--folder", folder, "--install-within", "60", **nothing)
            self.assertEqual(run.returncode, 0)
            self.assertIn("warning: skipped Kinto: pip could not install kinto", run.stderr)

    def test_an_unknown_server_is_refused(self):
        run = self.run_script("nothing")
        self.assertEqual(run.returncode, 2)
        self.assertIn("there is no server nothing; choose from kinto, powerdns", run.stderr)

    def test_each_step_has_its_result_and_missing_steps_have_none(self):
        class Server:
            def prepare(self):
                pass

            def create(self, call):
                assert call == way

            def read(self, call):
                raise AssertionError("1 is not 2")

        class Way:
            name = "call"

            def prepare(self):
                pass

        way = Way()
        results = self.script.try_way(Server(), way)
        self.assertEqual(results, {"import": "", "create": "", "read": "1 is not 2"})
        row = self.script.row("Server", "call", results)
        self.assertEqual(row, "| Server | call | yes | yes | failed | – | – | – | – | – | – | – |")

    def test_a_document_that_cannot_be_imported_ends_the_way(self):
        class Way:
            name = "call"

            def prepare(self):
                raise AssertionError("callsign import-openapi: error")

        self.assertEqual(self.script.try_way(None, Way()), {"import": "callsign import-openapi: error"})

    def test_values_are_compared_by_what_they_mean(self):
        alike = sys.modules["server"].alike
        self.assertTrue(alike({"a": [1, None], "b": None}, {"a": [1.0, None]}))
        self.assertTrue(alike("2026-01-02T03:04:05.120000Z", "2026-01-02T04:04:05.12+01:00"))
        for value, plain in [({"a": 1}, {"a": 2}), ({"a": 1}, {}), ([1], [1, 2]), ([None], [1]), ("1", 1), (True, 1),
                             ("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z")]:
            self.assertFalse(alike(value, plain), (value, plain))


if __name__ == "__main__":
    unittest.main()
