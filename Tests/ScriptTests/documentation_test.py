import importlib.machinery, importlib.util, json, subprocess, tempfile, unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def script(folder, name):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / folder / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


docs, release = script("Scripts", "docs"), script("Scripts", "release")
draw = script("Scripts/internal", "draw")
measure = script("Benchmarks/internal", "measure")


class Links(unittest.TestCase):
    def problems(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "-q", folder], check=True)
            for name, text in files.items():
                (Path(folder) / f"{name}.md").write_text(text, encoding="utf-8")
            return docs.markdown_problems(Path(folder))

    def test_files_and_headings_that_are_there_are_found(self):
        self.assertEqual(self.problems(a="# A\n[b](b.md#two-words) [c](#a) [d](https://e.example/f.md)\n", b="## Two words\n"), [])

    def test_what_is_not_there_is_named_with_its_line(self):
        found = self.problems(a="# A\n\n[b](b.md)\n<img src=\"c.svg\">\n[d](#e)\n")
        self.assertEqual(found, ["a.md:3: error: b.md is not there", "a.md:4: error: c.svg is not there",
                                 "a.md:5: error: a.md has no heading #e"])

    def test_code_is_no_link(self):
        self.assertEqual(self.problems(a="`[b](c.md)`\n```\n[b](c.md)\n# d\n```\n"), [])

    def article(self, text):
        with tempfile.TemporaryDirectory() as folder:
            here, there = Path(folder) / "a.md", Path(folder) / "b.md"
            here.write_text(text, encoding="utf-8")
            there.write_text("# B\n\n## What's new, here\n", encoding="utf-8")
            known = {here.resolve(): ("Upper", "A"), there.resolve(): ("Lower", "B")}
            return [docs.as_docc(text, here, module, known, base) for module, base in [("Lower", ""), ("Upper", ""), ("Upper", "c")]]

    def test_links_to_articles_become_doccs_and_others_text(self):
        inside, outside, hosted = self.article("[b](b.md#whats-new-here) `[b](b.md)` [`c`](c.md) [d](https://d.example)")
        self.assertEqual(inside, "[b](doc:B#Whats-new-here) `[b](b.md)` `c` [d](https://d.example)")
        self.assertEqual(outside, "[b](/documentation/lower/b#Whats-new-here) `[b](b.md)` `c` [d](https://d.example)")
        self.assertEqual(hosted, "[b](/c/documentation/lower/b#Whats-new-here) `[b](b.md)` `c` [d](https://d.example)")

    def test_pictures_for_light_and_dark_pages_are_one_in_docc(self):
        text = '<picture>\n  <source media="x" srcset="Pictures/p~dark.svg">\n  <img alt="A p" src="Pictures/p.svg">\n</picture>\n'
        self.assertEqual(self.article(text)[0], "![A p](p)\n")
        self.assertEqual(self.article(text.replace(".svg", ".png"))[0], "![A p](p)\n")

    def ways(self, place, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (Path(folder) / f"{name}.md").write_text(text, encoding="utf-8")
            return docs.way(Path(folder), place)

    def test_a_section_is_found_in_two_links_and_not_in_three(self):
        self.assertEqual(self.ways("b.md#c", README="[b](b.md)", b="## C\n"), ["README.md", "b.md#c"])
        self.assertEqual(self.ways("c.md#d", README="[b](b.md)", b="[d](c.md#d)", c="## D\n"), ["README.md", "b.md", "c.md#d"])
        self.assertEqual(self.ways("d.md#e", README="[b](b.md)", b="[c](c.md)", c="[e](d.md#e)", d="## E\n"), [])

    def test_a_section_ends_with_the_next_heading_of_its_level(self):
        text = "# A\n\n## B\n\none\n```\n# two\n```\n### three\n\n## D\n\nfour\n"
        self.assertEqual(docs.section(text, "b"), "## B\n\none\n```\n# two\n```\n### three\n")
        self.assertEqual(docs.section(text, ""), text)

    def test_readers_find_their_tasks(self):
        self.assertEqual(docs.task_problems(ROOT), [])

    def test_every_link_of_this_repository_leads_somewhere(self):
        self.assertEqual(docs.markdown_problems(ROOT), [])


class Symbols(unittest.TestCase):
    def module(self, symbols, page):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        (folder / "M.symbols.json").write_text(json.dumps({"symbols": symbols, "relationships": []}), encoding="utf-8")
        module = docs.Module("M", folder)
        module.catalogue = folder
        (folder / "M.md").write_text(page, encoding="utf-8")
        return module

    def symbol(self, name, comment=True):
        return {"kind": {"identifier": "swift.struct"}, "identifier": {"precise": "s:" + name}, "pathComponents": name.split("."),
                "location": {"uri": f"file://{ROOT}/Sources/M/M.swift", "position": {"line": 6, "character": 0}},
                **({"docComment": {}} if comment else {})}

    def test_a_symbol_without_a_comment_is_found_with_its_place(self):
        module = self.module([self.symbol("A"), self.symbol("A.b", comment=False)], "")
        self.assertEqual(module.undocumented(), [("Sources/M/M.swift:7", "A.b")])

    def test_a_name_that_no_topic_has_is_found(self):
        module = self.module([self.symbol("A"), self.symbol("B"), self.symbol("B.c")], "# ``M``\n\nSee ``B``.\n\n## Topics\n\n### All\n\n- ``A``\n")
        self.assertEqual(module.unordered(), ["B"])

    def test_the_swift_files_of_one_file_of_the_catalogue_are_one_subject(self):
        module = docs.Module.__new__(docs.Module)
        module.name, module.catalogue = "M", ROOT / "nothing/M.docc"
        module.symbols = [
            {"pathComponents": ["API", name], "kind": {"identifier": kind}, "location": {"uri": f"file:///{file}.generated.swift"}}
            for name, kind, file in [("a()", "swift.method", "live-posts-methods"), ("B", "swift.struct", "live-posts"),
                                     ("C", "swift.struct", "live-posts_2")]]
        pages = docs.generated_pages(module)
        self.assertEqual(sorted(pages), ["API-live-posts.md", "API.md"])
        self.assertEqual([line for line in pages["API-live-posts.md"].splitlines() if line],
                         ["# Live posts", "The operations and types of `live-posts` in the catalogue.", "## Topics", "### Operations",
                          "- ``API/a()``", "### Types", "- ``API/B``", "- ``API/C``"])

    def test_modules_come_after_those_that_they_are_built_on(self):
        for name in docs.MODULES:
            for other in docs.dependencies(name):
                self.assertLess(docs.MODULES.index(other), docs.MODULES.index(name))
        self.assertIn("CallsignHTTP", docs.dependencies("CallsignX"))


class Figures(unittest.TestCase):
    def test_rows_are_read_with_their_limits(self):
        rows = measure.values("lines                    17199   30000\nclean debug build of the module             12.3 s   15 s\n"
                              "models                                  210 MB/s    9.1x\nfree                 1.5 s   \n")
        self.assertEqual(rows["clean debug build of the module"], {"value": 12.3, "limit": 15.0})
        self.assertEqual(rows["models"], {"value": 210.0, "limit": None})
        self.assertEqual(rows["free"], {"value": 1.5, "limit": None})
        self.assertNotIn("lines", rows)

    def test_figures_are_short_and_exact(self):
        self.assertEqual([draw.figure(v) for v in (0.5, 12.34, 243, 12345.6)], ["0.500", "12.3", "243", "12 346"])

    def test_pictures_and_tables_are_those_of_the_figures(self):
        for name, text in draw.pictures().items():
            self.assertEqual((draw.FOLDER / name).read_text(encoding="utf-8"), text, name)
        figures = json.loads(measure.FIGURES.read_text(encoding="utf-8"))
        self.assertEqual(measure.document(figures), measure.DOCUMENT.read_text(encoding="utf-8"))


class Release(unittest.TestCase):
    def test_only_a_version_that_announces_it_breaks_callers(self):
        allowed = [("0.2.0", "0.1.9"), ("1.0.0", "0.9.0"), ("2.0.0", "v1.4.2")]
        refused = [("0.1.2", "0.1.1"), ("1.1.0", "1.0.0"), ("1.0.1", "1.0.0")]
        self.assertTrue(all(release.announces_breaking_changes(*pair) for pair in allowed))
        self.assertFalse(any(release.announces_breaking_changes(*pair) for pair in refused))

    def test_versions_are_three_numbers(self):
        self.assertEqual(release.numbers("0.12.3"), (0, 12, 3))
        self.assertIsNone(release.numbers("0.12"))


if __name__ == "__main__":
    unittest.main()
