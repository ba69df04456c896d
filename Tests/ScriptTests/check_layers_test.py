"""Tests of Scripts/internal/check-layers: each builds a small package in a temporary folder and runs the script on it."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "internal", "check-layers")

# Two layers: `High` knows `Low`.
SOUND = {
    "layers": "# Comments are skipped.\n\nTown  # the only room\n  Shop: Low High\n",
    "Shop/Low/Item.swift": "public struct Item {\n  public var price: Int\n}\n",
    "Shop/High/Cart.swift": "public struct Cart {\n  public var items: [Item]\n}\n",
}
# Rooms of the tests about rooms.
ROOMS = {"Town", "Runtime", "Cellar", "Servers", "Tower", "Attic"}


class CheckLayersTests(unittest.TestCase):
    def check(self, files, *options):
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                # Most tests need one room only.
                path = path if path == "layers" or path.split("/")[0] in ROOMS else f"Town/{path}"
                full = os.path.join(root, "Sources", path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            return subprocess.run(
                [sys.executable, "-B", SCRIPT, *options, root], capture_output=True, text=True, timeout=60
            )

    def assert_holds(self, files):
        result = self.check(files)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.returncode, 0)
        return result.stdout

    def assert_fails(self, files, *messages):
        """All messages are there, and no other problem."""
        result = self.check(files)
        self.assertEqual(
            result.stderr.splitlines(), [*messages, f"error: layers do not hold; problems: {len(messages)}"]
        )
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")

    def names_upwards(self, line, name, place, path="Shop/Low/Use.swift"):
        return (
            f"Sources/Town/{path}:{line}: error: ‘Low’ names ‘{name}’, which the higher layer ‘High’ declares"
            f" (Sources/Town/Shop/High/{place})"
        )

    def test_a_sound_module_is_counted(self):
        self.assertEqual(
            self.assert_holds(SOUND), "Layers hold: 1 rooms, 1 modules, 2 folders, 2 files, 1 edges, 0 cycles\n"
        )

    def test_a_type_of_a_higher_layer(self):
        use = "struct Use {\n  func total(of item: Item) -> Int { item.price }\n  let cart: Cart\n}\n"
        self.assert_fails(SOUND | {"Shop/Low/Use.swift": use}, self.names_upwards(3, "Cart", "Cart.swift:1"))

    def test_every_kind_of_declaration(self):
        for kind in ["struct", "final class", "enum", "actor", "protocol", "typealias"]:
            text = f"import Foundation\n\npublic {kind} Till" + (" = Int\n" if kind == "typealias" else " {}\n")
            files = SOUND | {"Shop/High/Till.swift": text, "Shop/Low/Use.swift": "func use(_ till: [Till]?) {}\n"}
            with self.subTest(kind):
                self.assert_fails(files, self.names_upwards(1, "Till", "Till.swift:3"))

    def test_an_extension_of_a_higher_type(self):
        files = SOUND | {"Shop/Low/Use.swift": "\nextension Cart {\n  var isEmpty: Bool { items.isEmpty }\n}\n"}
        self.assert_fails(files, self.names_upwards(2, "Cart", "Cart.swift:1"))

    def test_a_type_named_with_its_module(self):
        files = SOUND | {"Shop/Low/Use.swift": "let cart: Shop.Cart? = nil\n"}
        self.assert_fails(files, self.names_upwards(1, "Cart", "Cart.swift:1"))

    def test_a_type_that_a_higher_extension_nests_in_a_lower_type(self):
        files = SOUND | {
            "Shop/High/Offer.swift": "extension Item {\n  struct Offer {}\n}\n",
            "Shop/Low/Use.swift": "let offer = Item.Offer()\nextension Item {\n  func offer() -> Offer { Offer() }\n}\n",
        }
        self.assert_fails(
            files,
            self.names_upwards(1, "Item.Offer", "Offer.swift:2"),
            self.names_upwards(3, "Item.Offer", "Offer.swift:2"),
        )

    def test_a_member_that_a_higher_extension_adds(self):
        files = SOUND | {
            "Shop/High/Discount.swift": "extension Item {\n  public var discounted: Int { price / 2 }\n}\n",
            "Shop/Low/Use.swift": "func use(item: Item) -> Int {\n  item\n    .discounted\n}\n",
        }
        self.assert_fails(files, self.names_upwards(3, "Item.discounted", "Discount.swift:2"))

    def test_a_function_of_a_higher_layer(self):
        files = SOUND | {
            "Shop/High/Discount.swift": "func discount(_ price: Int) -> Int { price / 2 }\n",
            "Shop/Low/Use.swift": "let half = discount(6)\n",
        }
        self.assert_fails(files, self.names_upwards(1, "discount", "Discount.swift:1"))

    def test_a_member_that_has_its_name_from_elsewhere_too(self):
        self.assert_holds(
            SOUND
            | {
                # Of one that a protocol asks for, of one that another type has, and of one that Swift's types have.
                "Shop/High/More.swift": "extension Item: Priced { var cost: Int { 1 } }\n"
                "extension Item { var weight: Int { 1 }\n  var count: Int { 1 } }\n",
                "Shop/Low/Use.swift": "protocol Priced { var cost: Int { get } }\nstruct Box { var weight = 2 }\n"
                "func use(a: any Priced, b: Box) -> Int { a.cost + b.weight + [1].count }\n",
            }
        )

    def test_words_that_are_no_uses(self):
        use = '''
          // Cart, and /* Cart
          /* Cart /* Cart */ Cart */
          enum Kind { case Cart, basket }
          struct Shelf<Cart> { var place: Cart }
          extension Shelf { func place(_ cart: Cart) {} }
          protocol Holder { associatedtype Cart; func hold(_ cart: Cart) }
          struct Pile { struct Cart {}; let cart: Cart; let other = Kind.Cart }
          func take<Cart: Sendable>(_ cart: Cart, or other: Cart) -> Cart? { nil as Cart? }
          let texts = ["Cart \\" Cart", #"a "Cart" \\(Cart)"#, """
            Cart "Cart" \\""" Cart
            """, ##"""
            Cart """# Cart \\#(Cart)
            """##]
          let kind: Kind = .Cart
        '''
        self.assert_holds(SOUND | {"Shop/Low/Use.swift": use})

    def test_code_inside_strings(self):
        use = (
            'let one = "a \\(f("(", Cart.self)) Cart"\n'
            'let two = #"Cart \\(Cart) \\#(Cart.self) "#\n'
            'let three = """\n  Cart\n  \\(g(Cart.self) { "\\(Item.self)" })\n  """\n'
            "let after = Cart.self\n"
        )
        self.assert_fails(
            SOUND | {"Shop/Low/Use.swift": use},
            *(self.names_upwards(line, "Cart", "Cart.swift:1") for line in [1, 2, 5, 7]),
        )

    def test_generic_names_end_with_their_function(self):
        use = "func take<Cart>(_ cart: Cart) {}\nfunc leave(_ cart: Cart) {}\n"
        self.assert_fails(SOUND | {"Shop/Low/Use.swift": use}, self.names_upwards(2, "Cart", "Cart.swift:1"))

    def test_private_types_belong_to_their_file(self):
        self.assert_holds(
            SOUND
            | {
                "Shop/High/State.swift": "private struct State {}\nlet state = State()\n",
                "Shop/Low/Use.swift": "fileprivate enum State {}\nlet state: State? = nil\n",
            }
        )

    def test_a_folder_that_is_not_listed(self):
        self.assert_fails(
            SOUND | {"Shop/Middle/Shelf.swift": "struct Shelf {}\n"},
            "Sources/layers:4: error: the folder ‘Middle’ of Shop is missing",
        )

    def test_files_outside_of_folders(self):
        files = SOUND | {"Shop/Shop.swift": "struct Shop {}\n"}
        self.assert_fails(files, "Sources/layers:4: error: the folder ‘.’ of Shop is missing")
        self.assert_holds(files | {"layers": "Town\n  Shop: Low High .\n"})

    def test_a_listed_folder_that_is_not_there(self):
        self.assert_fails(
            SOUND | {"layers": "Town\n  Shop: Low High Attic Low\n"},
            "Sources/layers:2: error: Shop has no folder ‘Attic’ with Swift files",
            "Sources/layers:2: error: the folder ‘Low’ is listed twice",
        )

    def test_a_listed_module_that_is_not_there(self):
        self.assert_fails(
            SOUND | {"layers": "  Shop\nTown\n  Shop: Low High\n  Bank\n  Shop: High Low\n"},
            "Sources/layers:1: error: the module ‘Shop’ is outside of a room",
            "Sources/layers:5: error: the module ‘Shop’ is listed twice",
            "Sources/layers:4: error: there is no module ‘Bank’ in Town",
        )

    def test_a_module_without_a_list(self):
        self.assert_fails(
            SOUND | {"layers": "Town\n"},
            "Sources/Town/Shop: error: the module has 2 folders, and Sources/layers does not give their order",
        )
        self.assert_holds({"layers": "Town\n", "Shop/Shop.swift": "struct Shop {}\n"})

    def test_a_folder_covers_its_subfolders_except_those_that_are_listed(self):
        files = SOUND | {
            "Shop/Low/Shelves/Shelf.swift": "struct Shelf { let carts: [Cart] }\n",
            "Shop/Low/Prices/Price.swift": "struct Price {}\n",
        }
        self.assert_fails(files, self.names_upwards(1, "Cart", "Cart.swift:1", path="Shop/Low/Shelves/Shelf.swift"))
        self.assert_holds(files | {"layers": "Town\n  Shop: Low High Low/Shelves\n"})

    def test_a_room_uses_the_rooms_before_it(self):
        files = {
            "layers": "Cellar\nServers, only for Tower\nAttic\nTower\n",
            "Cellar/Coal/Coal.swift": "public struct Coal {}\n",
            "Servers/Mock/Mock.swift": "import Coal\nimport Mock\nimport Foundation\n",
            "Attic/Books/Books.swift": "@_exported public import struct Coal.Coal\n",
            "Tower/Clock/Clock.swift": "import Books\nimport Mock\n",
        }
        self.assert_holds(files)
        self.assert_fails(
            files | {"Cellar/Coal/Coal.swift": "// import Books\n#if true\n  internal import Books\n#endif\n"},
            "Sources/Cellar/Coal/Coal.swift:3: error: imports ‘Books’ of the room Attic, which Cellar may not use",
        )
        self.assert_fails(
            files | {"Attic/Books/Books.swift": "@testable import Mock\n"},
            "Sources/Attic/Books/Books.swift:1: error: imports ‘Mock’ of the room Servers, which Attic may not use",
        )

    def test_a_room_that_is_not_listed(self):
        self.assert_fails(
            SOUND | {"Attic/Books/Books.swift": ""}, "Sources/Attic: error: the room is missing from Sources/layers"
        )

    def test_the_runtime_names_no_api(self):
        for word in ["Twitter", "api.x.com", "tweetID"]:
            files = {
                "layers": "Runtime\nTown\n",
                "Runtime/CallsignHTTP/Hosts.swift": f"\n// as {word} has it\n",
                "XCore/Hosts.swift": f"// {word}\n",
            }
            found = {"Twitter": "Twitter", "api.x.com": "x.com", "tweetID": "tweet"}[word]
            with self.subTest(word):
                self.assert_fails(
                    files, f"Sources/Runtime/CallsignHTTP/Hosts.swift:2: error: the runtime names an API: ‘{found}’"
                )

    def test_unsafe_code_has_a_reason_at_the_top_of_its_file(self):
        for code in [
            "let bytes: UnsafeRawBufferPointer", "data.withUnsafeBytes { $0.count }", "unsafeBitCast(a, to: B.self)",
            "nonisolated(unsafe) let a = b", "Unmanaged.passRetained(a)", "a.unsafelyUnwrapped",
        ]:
            with self.subTest(code):
                self.assert_fails(
                    {**SOUND, "Shop/Low/Use.swift": f"import A\n\n// UnsafePointer\n{code}\n"},
                    "Sources/Town/Shop/Low/Use.swift:4: error: the code is unsafe; say at the top of the file why it is"
                    " sound: ‘// Sound: …’",
                )
                self.assert_holds({**SOUND, "Shop/Low/Use.swift": f"// Sound: it is a test.\n\nimport A\n\n{code}\n"})

    def test_no_program_on_linux_links_foundation(self):
        def problem(line, name="Foundation"):
            return (
                f"Sources/Town/XText/Text.swift:{line}: error: imports ‘{name}’, which every program would link;"
                " import CallsignSupport"
            )

        for text, problems in [
            ("import CallsignSupport\nimport FoundationEssentials\n// import Foundation\n", []),
            ("import Foundation\n", [problem(1)]),
            ("@_exported import struct Foundation.Date\nimport FoundationNetworking\n",
             [problem(1), problem(2, "FoundationNetworking")]),
            ("#if canImport(Darwin) || URLSession\n  import Foundation\n#else\n  import Foundation\n#endif\n", [problem(4)]),
            ("#if os(Linux)\n  import Foundation\n#endif\n", [problem(2)]),
            ("#if canImport(Security)\n  #if DEBUG\n  #endif\n  import Foundation\n#endif\nimport Foundation\n", [problem(6)]),
        ]:
            with self.subTest(text):
                if problems:
                    self.assert_fails({"layers": "Town\n", "XText/Text.swift": text}, *problems)
                else:
                    self.assert_holds(
                        {"layers": "Town\n", "XText/Text.swift": text, "XSandbox/Server.swift": "import Foundation\n"}
                    )

    def test_a_report_finds_cycles_without_a_list(self):
        result = self.check(
            {
                "Shop/Low/Item.swift": "struct Item { let cart: Cart }\n",
                "Shop/High/Cart.swift": "struct Cart { let items: [Item] }\n",
                "Shop/Apart/Till.swift": "struct Till { let cart: Cart }\n",
            },
            "--report",
        )
        self.assertEqual(result.stderr, "")
        self.assertEqual(
            result.stdout.splitlines(),
            [
                "Shop: 3 files, 3 lines, 3 folders",
                "  Apart → High (Cart)",
                "  High → Low (Item)",
                "  Low → High (Cart)",
                "  in cycles: 2 of 3 folders of the first level (High, Low)",
                "  in cycles: 2 of 3 folders (High, Low)",
            ],
        )

    def test_bad_arguments(self):
        for options in [["--all"], ["one", "two"]]:
            result = subprocess.run([sys.executable, "-B", SCRIPT, *options], capture_output=True, text=True, timeout=60)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("usage", result.stderr)


if __name__ == "__main__":
    unittest.main()
