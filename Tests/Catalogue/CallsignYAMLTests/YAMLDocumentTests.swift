import Testing

@testable import CallsignYAML

@Suite("YAML documents")
struct YAMLDocumentTests {
  private func read(
    _ text: String, maximumDepth: Int = 10, aliases: YAMLDocument.Rules.Aliases = .allowed
  ) throws(YAMLError) -> YAMLDocument {
    try YAMLDocument(Array(text.utf8), rules: .init(maximumDepth: maximumDepth, aliases: aliases))
  }

  private func problem(
    _ text: String, maximumDepth: Int = 10, aliases: YAMLDocument.Rules.Aliases = .allowed
  ) -> YAMLError? {
    #expect(throws: YAMLError.self) { try read(text, maximumDepth: maximumDepth, aliases: aliases) }
  }

  @Test("scalars keep their texts, styles and places")
  func scalars() throws {
    let document = try read(
      """
      plain: 0x1F
      "double": "a\\u0041\\n"
      single: 'it''s'
      block: |
        two
        lines
      folded: >-
        one
        line
      é: 日
      """)
    #expect(
      outline(document.root) == [
        "1:1 mapping", "1:1 plain(plain)", "1:8 plain(0x1F)", "2:1 doubleQuoted(double)", "2:11 doubleQuoted(aA⏎)",
        "3:1 plain(single)", "3:9 singleQuoted(it's)", "4:1 plain(block)", "4:8 block(two⏎lines⏎)", "7:1 plain(folded)",
        "7:9 block(one line)", "10:1 plain(é)", "10:4 plain(日)",
      ])
  }

  @Test("lists and mappings keep their places, and mappings in braces are marked")
  func collections() throws {
    let document = try read("- {a: b}\n- {}\n- [c: d]\n- e: ~\n  f:\n- &x !t {g: h}\n- []\n")
    #expect(
      outline(document.root) == [
        "1:1 list", "1:3 braces", "1:4 plain(a)", "1:7 plain(b)", "2:3 braces", "3:3 list", "3:4 mapping",
        "3:4 plain(c)", "3:7 plain(d)", "4:3 mapping", "4:3 plain(e)", "4:6 null", "5:3 plain(f)", "5:5 null",
        "6:3 braces", "6:10 plain(g)", "6:13 plain(h)", "7:3 list",
      ])
  }

  @Test("columns count characters, lines count every YAML line break, and a byte order mark is skipped")
  func placesBeyondASCII() throws {
    let document = try read("\u{FEFF}# é\r\n# b\r# c\u{85}# d\u{2028}日: [é, x]\r\n")
    #expect(
      outline(document.root) == [
        "5:1 mapping", "5:1 plain(日)", "5:4 list", "5:5 plain(é)", "5:8 plain(x)",
      ])
  }

  @Test("texts without a document have no root", arguments: ["", "\n", "# only this\n", "\u{FEFF}"])
  func emptyTexts(text: String) throws {
    #expect(try read(text).root == nil)
  }

  @Test("a document between marks is one document")
  func documentMarks() throws {
    #expect(outline(try read("%YAML 1.1\n---\na\n...\n").root) == ["3:1 plain(a)"])
    #expect(problem("a: b\n---\nc: d\n") == YAMLError(problem: .secondDocument, line: 2, column: 1))
    #expect(problem("--- a\n--- b\n") == YAMLError(problem: .secondDocument, line: 2, column: 1))
  }

  @Test("JSON is YAML, whatever its numbers")
  func json() throws {
    let huge = String(repeating: "9", count: 5_000)
    let document = try read("{\"a\":[1e400,-0,\(huge)],\n\t\"b\":{\"c\":null,\"d\":\"\\\\ \\\"\"}}")
    #expect(
      outline(document.root) == [
        "1:1 braces", "1:2 doubleQuoted(a)", "1:6 list", "1:7 plain(1e400)", "1:13 plain(-0)", "1:16 plain(\(huge))",
        "2:2 doubleQuoted(b)", "2:6 braces", "2:7 doubleQuoted(c)", "2:11 null", "2:16 doubleQuoted(d)",
        "2:20 doubleQuoted(\\ \")",
      ])
  }

  // MARK: Duplicate keys

  @Test("the first of two entries with one key is kept, and both places are reported")
  func duplicateKeys() throws {
    let document = try read("a: 1\nb: {c: 1, 'c': 2, c: 3}\n\"a\": 2\n")
    #expect(
      outline(document.root) == [
        "1:1 mapping", "1:1 plain(a)", "1:4 plain(1)", "2:1 plain(b)", "2:4 braces", "2:5 plain(c)", "2:8 plain(1)",
      ])
    let places = document.duplicateKeys.map {
      "\($0.name) \($0.first.line):\($0.first.column) \($0.second.line):\($0.second.column)"
    }
    #expect(places == ["c 2:5 2:11", "c 2:5 2:19", "a 1:1 3:1"])
  }

  @Test("merge keys are keys like others")
  func mergeKeys() throws {
    let document = try read("a: &a {x: 1}\nb:\n  <<: *a\n")
    #expect(outline(document.root).contains("3:3 plain(<<)"))
  }

  // MARK: Aliases

  @Test("an alias means its anchor's value, the latest before it")
  func aliases() throws {
    let document = try read("- &a [x]\n- *a\n- &a y\n- *a\n")
    #expect(
      outline(document.root) == [
        "1:1 list", "1:3 list", "1:7 plain(x)", "1:3 list", "1:7 plain(x)", "3:3 plain(y)", "3:3 plain(y)",
      ])
    #expect(problem("- *a\n- &a b") == YAMLError(problem: .undefinedAlias("a"), line: 1, column: 3))
    #expect(problem("&a [*a]") == YAMLError(problem: .undefinedAlias("a"), line: 1, column: 5))
  }

  @Test("aliases are refused if the rules say so", arguments: ["[*a]", "{\"a\":*a}", "\n- *a", "\u{85}  *a"])
  func refusedAliases(alias: String) {
    #expect(problem("x: &a 1\ny: \(alias)", aliases: .refused)?.problem == .alias("a"))
  }

  @Test("only aliases of scalars are allowed if the rules say so")
  func aliasesOfScalars() throws {
    #expect(outline(try read("[&a b, *a]", aliases: .ofScalars).root) == ["1:1 list", "1:2 plain(b)", "1:2 plain(b)"])
    for text in ["[&a [b]]", "&a {b: c}", "a: &b\n  c: d\n", "a: &b\n- c\n", "? &a {b: c}\n: d\n"] {
      #expect(problem(text, aliases: .ofScalars)?.problem == .anchoredCollection, "\(text)")
    }
  }

  @Test("aliases cannot multiply a document without bound", arguments: [10, 60])
  func aliasBombs(levels: Int) {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...levels {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(problem(bomb, maximumDepth: 200)?.problem == .tooManyNodes)
    let key = bomb.replacing("a\(levels): ", with: "? ")
    #expect(problem(key, maximumDepth: 200)?.problem == .tooManyNodes)
  }

  // MARK: Depth

  @Test("the depth is bounded, and the place is that of the first value too deep")
  func depth() throws {
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(outline(try read(nested(11)).root).count == 11)
    #expect(problem(nested(12)) == YAMLError(problem: .tooDeep, line: 1, column: 12))
    #expect(problem(nested(10) + "x")?.problem != .tooDeep)
    let scalar = String(repeating: "- ", count: 11) + "x"
    #expect(problem(scalar) == YAMLError(problem: .tooDeep, line: 1, column: 23))
  }

  @Test("aliases cannot exceed the depth")
  func depthOfAliases() throws {
    _ = try read("- &a [[x]]\n- [[*a]]\n", maximumDepth: 5)
    #expect(
      problem("- &a [[x]]\n- [[*a]]\n", maximumDepth: 4) == YAMLError(problem: .tooDeep, line: 2, column: 5))
  }

  @Test(
    "millions of brackets are refused at once",
    arguments: ["[", "{a: ", "- ", "? ", "[{", "&a [", "!t {a: ", "{? ", "[[],"])
  func hugeDepth(piece: String) {
    #expect(problem(String(repeating: piece, count: 1_000_000), maximumDepth: 200)?.problem == .tooDeep)
  }

  // MARK: Errors

  @Test("syntax errors have libyaml's words, the location and the context")
  func syntaxErrors() throws {
    #expect(
      problem("a:\n  b: \"c\n")
        == YAMLError(
          problem: .syntax(
            "found unexpected end of stream",
            while: YAMLError.Context(text: "while scanning a quoted scalar", line: 2, column: 6)), line: 3, column: 1))
    #expect(
      problem("a: b: c")
        == YAMLError(
          problem: .syntax("mapping values are not allowed in this context", while: nil), line: 1, column: 5))
  }

  @Test("bytes that are not UTF-8 are named with their place")
  func encodings() {
    let rules = YAMLDocument.Rules(maximumDepth: 10, aliases: .refused)
    for (bytes, column) in [
      ([0x61, 0x0A, 0x62, 0xFF], 2), ([0x61, 0x0A, 0xED, 0xA0, 0x80], 1), ([0x61, 0x0A, 0x62, 0x63, 0xC3], 3),
    ] as [([UInt8], Int)] {
      let error = #expect(throws: YAMLError.self) { try YAMLDocument(bytes, rules: rules) }
      #expect(error == YAMLError(problem: .notUTF8, line: 2, column: column))
    }
    // UTF-16, in both orders.
    for bytes in [[0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61]] as [[UInt8]] {
      let error = #expect(throws: YAMLError.self) { try YAMLDocument(bytes, rules: rules) }
      #expect(error?.problem == .notUTF8)
    }
  }

  @Test("control characters are refused, and escapes make them")
  func controlCharacters() throws {
    let error = problem("a: b\u{1B}c")
    #expect(error?.line == 1 && error?.column == 5)
    #expect(outline(try read("\"a\\0\\x1Bb\"").root) == ["1:1 doubleQuoted(a\u{0}\u{1B}b)"])
  }
}

/// One line for each node, in the order of the text: place and value.
func outline(_ node: YAMLNode?) -> [String] {
  guard let node else { return [] }
  let place = "\(node.line):\(node.column) "
  switch node.content {
  case .scalar(let scalar):
    return [place + (node.isNull ? "null" : "\(scalar.style)(\(scalar.text.replacing("\n", with: "⏎")))")]
  case .list(let nodes): return [place + "list"] + nodes.flatMap { outline($0) }
  case .mapping(let mapping):
    let entries = mapping.entries.flatMap { outline($0.key) + outline($0.value) }
    return [place + (mapping.isFlow ? "braces" : "mapping")] + entries
  }
}
