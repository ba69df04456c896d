import importlib.machinery, importlib.util, tempfile, unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOADER = importlib.machinery.SourceFileLoader("check_documents", str(ROOT / "Scripts/internal/check-documents"))
check_documents = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_documents", LOADER))
LOADER.exec_module(check_documents)

FACTS = {"bearer": "BEARER", "consumerKey": "KEY", "consumerSecret": "SECRET", "token": "TOKEN", "tokenSecret": "TS",
         "clientID": "CLIENT", "post": "1", "user": "2", "list": "3", "port": "4", "video": "/v", "password": "p"}


class Blocks(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.md").write_text(text, encoding="utf-8")
            root, check_documents.ROOT = check_documents.ROOT, Path(folder)
            try:
                return check_documents.programs("a.md")
            finally:
                check_documents.ROOT = root

    def test_swift_is_a_program_and_other_languages_and_manifests_are_none(self):
        found = self.read("```swift\nlet a = 1\n```\n```console\nlet b\n```\n```swift\n// Package.swift\n```\n```swift\n// swift-tools-version: 6.2\n```\n```swift\nlet c = 2\n\n```\n")
        self.assertEqual([(p.name, p.text) for p in found], [("aLine1", "let a = 1"), ("aLine13", "let c = 2\n")])

    def source(self, code):
        return self.read(f"```swift\n{code}\n```\n")[0].source(FACTS)

    def test_placeholders_become_the_readers_own_and_nothing_else_changes(self):
        source = self.source('let y = XAPI(auth: .bearer("…"))  // "20" stays\nprint(try await y.getPostsById(id: "20"))')
        self.assertIn('let y = XAPI(auth: .bearer("BEARER"))  // "20" stays\nprint(try await y.getPostsById(id: "1"))', source)
        self.assertNotIn("OAuth1(", source)

    def test_what_a_block_uses_and_does_not_make_stands_before_it(self):
        source = self.source("try await x.upload(file: video)")
        self.assertLess(source.index("let x = XAPI("), source.index("let video ="))
        self.assertLess(source.index("let video ="), source.index("try await x.upload"))
        self.assertIn('consumerKey: "KEY", consumerSecret: "SECRET", token: "TOKEN", tokenSecret: "TS"', source)
        self.assertEqual(self.source("let x = XAPI(auth: z)\nx.call()").count("let x"), 1)
        self.assertNotIn("let me", self.source('try await x.call(.get, "2/users/me")'))

    def test_a_client_that_a_block_makes_is_called_once(self):
        self.assertTrue(self.source('let both = XAPI(auth: [])').rstrip().endswith('print(try await both.getPostsById(id: "1").data.id)'))
        self.assertNotIn("getPostsById", self.source("let local = XAPI(auth: a)"))

    def test_what_is_missing_is_imported_once(self):
        source = self.source("import CallsignX\nlet sandbox = try await Sandbox.start()")
        self.assertEqual((source.count("import CallsignX"), source.count("import XSandbox")), (1, 1))

    def test_every_document_of_the_project_has_programs(self):
        for document in ["README.md", "Documentation/LoggingIn.md", "Documentation/ErrorsAndLimits.md"]:
            self.assertGreater(len(check_documents.programs(document)), 3)


if __name__ == "__main__":
    unittest.main()
