"""Tests of Scripts/internal/summarize-tests, with lines as `swift test` prints them."""

import os
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "internal", "summarize-tests")


class SummarizeTestsTests(unittest.TestCase):
    def summary(self, *lines, arguments=()):
        with tempfile.NamedTemporaryFile("w", suffix=".log", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            result = subprocess.run([SCRIPT, file.name, *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def test_all_passed(self):
        lines = [line for number in range(1285) for line in passed(f'"Test {number}"')]
        self.assertEqual(
            self.summary("◇ Test run started.", *lines, "✔ Test run with 1285 tests in 3 suites passed after 1.2 seconds."),
            ["1,285 tests passed, 0 failed", "1285 passed, 0 failed, 0 skipped"],
        )

    def test_names_of_functions_and_of_cases(self):
        self.assertEqual(
            self.summary(
                *passed("name()"),
                '◇ Test "Each" started.',
                '◇ Test case passing 1 argument x → 1 to "Each" started.',
                '✔ Test "Each" with 2 test cases passed after 0.001 seconds.',
                '◇ Test "Known" started.',
                '━ Test "Known" passed after 0.001 seconds with 1 known issue.',
                '◇ Suite "Whole" started.',
                '✔ Suite "Whole" passed after 0.002 seconds.',
            )[-1],
            "3 passed, 0 failed, 0 skipped",
        )

    def test_an_argument_with_a_nul_ends_its_line_early(self):
        self.assertEqual(
            self.summary(
                '◇ Test "Each" started.',
                '◇ Test "Other" started.',
                '◇ Test case passing 1 argument value → "a✔ Test "Other" passed after 0.001 seconds.',
                '✔ Test "Each" with 1 test case passed after 0.001 seconds.',
            )[-1],
            "2 passed, 0 failed, 0 skipped",
        )

    def test_failures(self):
        self.assertEqual(
            self.summary(
                *passed('"One"'),
                '◇ Test "Two" started.',
                '✘ Test "Two" recorded an issue at A.swift:14:49: Expectation failed: 1 == 2',
                '✘ Test "Two" failed after 0.002 seconds with 1 issue.',
            ),
            [
                '✘ Test "Two" recorded an issue at A.swift:14:49: Expectation failed: 1 == 2',
                "1 tests passed, 1 failed",
                "1 passed, 1 failed, 0 skipped",
            ],
        )

    def test_an_issue_is_printed_with_what_explains_it(self):
        lines = [
            '✘ Test "Two" recorded an issue with 1 argument x → 0.0 at A.swift:14:49: Expectation failed: 1 == 2',
            "↳ The sum of the parts:",
            "  one",
        ]
        self.assertEqual(
            self.summary(
                '◇ Test "Two" started.',
                *lines,
                *passed('"One"'),
                "↳ of another",
                '✘ Test "Two" failed after 0.002 seconds with 1 issue.',
            )[:-2],
            lines,
        )

    def test_a_test_that_never_ended_has_failed(self):
        self.assertEqual(
            self.summary(
                *passed('"One"'),
                '◇ Test "Two" started.',
                "◇ Test three() started.",
                '◇ Test "Four started." started.',
                '✔ Test "Four started." with 2 test cases passed after 0.001 seconds.',
                '◇ Test "Five" started.',
                '✘ Test "Five" failed after 0.002 seconds with 1 issue.',
                "error: Exited with unexpected signal code 11",
            ),
            [
                'did not end: "Two"',
                "did not end: three()",
                "2 tests passed, 3 failed",
                "2 passed, 3 failed, 0 skipped",
            ],
        )

    def test_a_lost_line_of_a_run_that_passed_is_no_failure(self):
        run = ["◇ Test run started.", *passed('"One"'), '◇ Test "Two" started.']
        end = "✔ Test run with 2 tests in 1 suite passed after 1.2 seconds."
        self.assertEqual(self.summary(*run, end)[-1], "2 passed, 0 failed, 0 skipped")
        # The next run says nothing of the one before, nor of itself.
        self.assertEqual(self.summary(*run, *run, end)[-1], "3 passed, 1 failed, 0 skipped")
        self.assertEqual(self.summary(*run, end, *run)[-1], "3 passed, 1 failed, 0 skipped")
        failed = "✘ Test run with 2 tests in 1 suite failed after 1.2 seconds with 1 issue."
        self.assertEqual(self.summary(*run, failed, *run, end)[-1], "3 passed, 1 failed, 0 skipped")

    def test_what_was_skipped_and_why(self):
        self.assertEqual(
            self.summary(
                '➜ Suite "Against nginx" skipped: "nginx is missing"',
                '➜ Test "one" skipped: "nginx is missing"',
                '➜ Test "two" skipped: "nginx is missing"',
                '➜ Test "vectors" skipped: "the corpus oauth1/vectors.jsonl is missing"',
                *passed('"that says skipped: nothing"'),
            ),
            [
                "1 tests passed, 0 failed, 3 tests and 1 suite skipped: nginx is missing (2), the corpus"
                " oauth1/vectors.jsonl is missing (1)",
                "1 passed, 0 failed, 3 skipped",
            ],
        )

    def test_what_must_not_be_skipped_has_failed(self):
        self.assertEqual(
            self.summary(
                '✘ Suite "Against nginx" recorded an issue: Caught error: nginx is missing, and CI is set',
                '✘ Test "one" recorded an issue: Caught error: nginx is missing, and CI is set',
                '✘ Test "two" recorded an issue with 1 argument : Caught error: nginx is missing, and CI is set',
            )[-1],
            "0 passed, 2 failed, 0 skipped",
        )

    def test_tests_that_passed_elsewhere_count(self):
        self.assertEqual(self.summary(*passed('"One"'), arguments=["21"])[-1], "22 passed, 0 failed, 0 skipped")


def passed(name):
    return [f"◇ Test {name} started.", f"✔ Test {name} passed after 0.001 seconds."]


if __name__ == "__main__":
    unittest.main()
