import CallsignJSON
import TestSupport
import Testing

@testable import CallsignCommandLine

/// An expression, what it is applied to, and the result, all of them written for these tests by the specification.
struct Case: Sendable, CustomTestStringConvertible {
  let expression: String
  let given: String
  let result: String

  init(_ expression: String, _ given: String, _ result: String) {
    self.expression = expression
    self.given = given
    self.result = result
  }

  var testDescription: String { expression }
}

@Suite("JMESPath") struct SpecificationTests {
  static let people =
    #"{"people":[{"n":"ann","age":30,"on":true},{"n":"bob","age":20},{"n":"cy","age":40,"on":false}],"x":{"b":2,"a":1}}"#

  static let cases: [Case] = [
    // Identifiers and subexpressions
    Case("foo", #"{"foo":"v"}"#, #""v""#), Case("bar", #"{"foo":"v"}"#, "null"), Case("foo", "[1]", "null"),
    Case("foo.bar", #"{"foo":{"bar":7}}"#, "7"), Case("foo.bar.baz", #"{"foo":{"bar":7}}"#, "null"),
    Case(#""foo bar""#, #"{"foo bar":1}"#, "1"), Case(#""a.b".c"#, #"{"a.b":{"c":3}}"#, "3"),
    Case(#""\u00e9""#, #"{"é":1}"#, "1"), Case(#""q\"q""#, #"{"q\"q":1}"#, "1"), Case("@", "5", "5"),
    Case("  foo \n .  bar ", #"{"foo":{"bar":7}}"#, "7"),
    // Indexes and slices
    Case("[0]", "[5,6]", "5"), Case("[-1]", "[5,6]", "6"), Case("[2]", "[5,6]", "null"), Case("[-3]", "[5,6]", "null"),
    Case("foo[1].a", #"{"foo":[{"a":1},{"a":2}]}"#, "2"), Case("[0][1]", "[[1,2]]", "2"),
    Case("[0]", #"{"a":1}"#, "null"),
    Case("[0:4:1]", "[0,1,2,3]", "[0,1,2,3]"), Case("[0:2]", "[0,1,2,3]", "[0,1]"), Case("[::2]", "[0,1,2,3]", "[0,2]"),
    Case("[::-1]", "[0,1,2,3]", "[3,2,1,0]"), Case("[-2:]", "[0,1,2,3]", "[2,3]"), Case("[:-2]", "[0,1,2,3]", "[0,1]"),
    Case("[10:]", "[0,1]", "[]"), Case("[-10:10]", "[0,1]", "[0,1]"), Case("[3:0:-2]", "[0,1,2,3]", "[3,1]"),
    Case("[:]", "[1]", "[1]"), Case("[:]", #""abc""#, "null"), Case("[:2].a", #"[{"a":1},{"b":1},{"a":2}]"#, "[1]"),
    Case("[::9223372036854775807]", "[1,2]", "[1]"), Case("[::-9223372036854775807]", "[1,2]", "[2]"),
    Case("[-9223372036854775807:9223372036854775807]", "[1,2]", "[1,2]"),
    // Projections
    Case("[*].a", #"[{"a":1},{"b":2},{"a":null},{"a":3}]"#, "[1,3]"), Case("[*]", "[1,null,2]", "[1,2]"),
    Case("people[*].n", people, #"["ann","bob","cy"]"#), Case("foo[*].a", #"{"foo":{"a":1}}"#, "null"),
    Case("*.a", #"{"x":{"a":1},"y":{"a":2},"z":3}"#, "[1,2]"), Case("*", "[1]", "null"), Case("x.*", people, "[1,2]"),
    Case("[*][0]", "[[1,2],[3],[]]", "[1,3]"), Case("[*].*", #"[{"a":1},{"b":2}]"#, "[[1],[2]]"),
    Case("[]", "[1,[2,[3]],[]]", "[1,2,[3]]"), Case("[][]", "[1,[2,[3]]]", "[1,2,3]"), Case("[]", "{}", "null"),
    Case("a[].b[].c", #"{"a":[{"b":[{"c":1},{"c":2}]},{"b":{"c":3}}]}"#, "[1,2,3]"),
    Case("[*].a | [0]", #"[{"a":1},{"a":2}]"#, "1"), Case("[*].a[0]", #"[{"a":[1]},{"a":[2]}]"#, "[1,2]"),
    Case("([*].a)[0]", #"[{"a":1},{"a":2}]"#, "1"), Case("(foo).bar", #"{"foo":{"bar":7}}"#, "7"),
    // Filters, comparisons, logic
    Case("people[?age > `20`].n", people, #"["ann","cy"]"#), Case("people[?n == 'bob'].age", people, "[20]"),
    Case("people[?on].n", people, #"["ann"]"#), Case("people[?!on].n", people, #"["bob","cy"]"#),
    Case("people[?age >= `30` && on].n", people, #"["ann"]"#),
    Case("people[?age < `25` || age > `35`].n | [0]", people, #""bob""#),
    Case("people[?age != `20`] | length(@)", people, "2"),
    Case("people[?n < 'b']", people, "[]"), Case("x[?a]", people, "null"), Case("[?@ > `1`]", "[1,2,3]", "[2,3]"),
    Case("[?!a.b]", #"[{"a":{"b":1}},{"a":{}}]"#, #"[{"a":{}}]"#), Case("!a == b", #"{"a":1,"b":false}"#, "true"),
    Case("a == b", #"{"a":[1,{"x":2}],"b":[1.0,{"x":2}]}"#, "true"), Case("`1` == `true`", "null", "false"),
    Case("a < b", #"{"a":"1","b":"2"}"#, "null"), Case("a && b", #"{"a":[],"b":1}"#, "[]"),
    Case("a || b", #"{"a":"","b":0}"#, "0"), Case("a || b && c", #"{"b":1,"c":2}"#, "2"), Case("!`0`", "null", "false"),
    Case("a | b | c", #"{"a":{"b":{"c":1}}}"#, "1"),
    Case("[?a[?b]]", #"[{"a":[{"b":1}]},{"a":[]}]"#, #"[{"a":[{"b":1}]}]"#),
    // Literals
    Case("`{\"a\":[1,null]}`", "null", #"{"a":[1,null]}"#), Case("'it\\'s'", "null", #""it's""#),
    Case(#"'\\d'"#, "null", #""\\d""#),
    Case(#"'\d'"#, "null", #""\\d""#), Case("`\"\\`\"`", "null", #""`""#), Case("''", "null", #""""#),
    // Lists and objects of expressions
    Case("x.[a, b]", people, "[1,2]"), Case("{one: x.a, \"two 2\": x.b}", people, #"{"one":1,"two 2":2}"#),
    Case("people[*].{n: n, old: age > `25`} | [0]", people, #"{"n":"ann","old":true}"#),
    Case("nothing.[a]", "{}", "null"), Case("nothing.{a: a}", "{}", "null"), Case("[x, @.x][0].a", people, "1"),
    Case("people[*].[n, age][]", people, #"["ann",30,"bob",20,"cy",40]"#),
    // Functions
    Case("abs(`-3`)", "null", "3"), Case("abs(`-2.5`)", "null", "2.5"), Case("avg(`[1,2]`)", "null", "1.5"),
    Case("avg(`[]`)", "null", "null"), Case("ceil(`1.2`)", "null", "2"), Case("floor(`-1.2`)", "null", "-2"),
    Case("contains('foobar', 'oba')", "null", "true"), Case("contains(@, `2`)", "[1,2.0]", "true"),
    Case("contains(@, 'b')", #"["a"]"#, "false"), Case("ends_with('foobar', 'bar')", "null", "true"),
    Case("starts_with('foobar', 'bar')", "null", "false"), Case("join(', ', @)", #"["a","b"]"#, #""a, b""#),
    Case("join('', `[]`)", "null", #""""#), Case("keys(x)", people, #"["a","b"]"#), Case("values(x)", people, "[1,2]"),
    Case("length('aé😀')", "null", "3"), Case("length(x)", people, "2"), Case("length(people)", people, "3"),
    Case("map(&n, people)", people, #"["ann","bob","cy"]"#), Case("map(&zz, people)", people, "[null,null,null]"),
    Case("max(people[*].age)", people, "40"), Case("min(people[*].n)", people, #""ann""#),
    Case("max(`[]`)", "null", "null"),
    Case("max_by(people, &age).n", people, #""cy""#), Case("min_by(people, &age).n", people, #""bob""#),
    Case("max_by(`[]`, &a)", "null", "null"), Case("merge(x, `{\"b\":3,\"c\":4}`)", people, #"{"a":1,"b":3,"c":4}"#),
    Case("not_null(zz, x.zz, x.a)", people, "1"), Case("not_null(zz)", people, "null"),
    Case("reverse('añb')", "null", #""bña""#), Case("reverse(`[1,2]`)", "null", "[2,1]"),
    Case("sort(people[*].n)", people, #"["ann","bob","cy"]"#), Case("sort(`[3,1.5,2]`)", "null", "[1.5,2,3]"),
    Case("sort(`[\"b\",\"B\",\"a\"]`)", "null", #"["B","a","b"]"#),
    Case("sort_by(people, &age)[*].n", people, #"["bob","ann","cy"]"#),
    Case("sort_by(@, &k)[].v", #"[{"k":1,"v":1},{"k":0,"v":2},{"k":1,"v":3},{"k":0,"v":4}]"#, "[2,4,1,3]"),
    Case("sum(`[1,2,3]`)", "null", "6"), Case("sum(`[]`)", "null", "0"), Case("sum(`[0.5,1]`)", "null", "1.5"),
    Case("to_array('a')", "null", #"["a"]"#), Case("to_array(`[1]`)", "null", "[1]"),
    Case("to_number('1.5')", "null", "1.5"),
    Case("to_number('x')", "null", "null"), Case("to_number(`true`)", "null", "null"),
    Case("to_number(`7`)", "null", "7"),
    Case("to_string(`[1,\"a\"]`)", "null", #""[1,\"a\"]""#), Case("to_string('a')", "null", #""a""#),
    Case("people[*].type(age)", people, #"["number","number","number"]"#), Case("type(zz)", "{}", #""null""#),
    Case("type(`true`)", "null", #""boolean""#), Case("x.keys(@)[0]", people, #""a""#),
    Case("people[?contains(n, 'n')].n", people, #"["ann"]"#), Case("length(people[?age > `25`])", people, "2"),
    Case("sum(`[9223372036854775807,1]`) > `9000000000000000000`", "null", "true"),
  ]

  @Test("an expression gives the result in the specification", arguments: cases) func result(of example: Case) throws {
    let result = try FilterExpression(example.expression).search(JSONValue(jsonString: example.given))
    #expect(result.isSame(as: try JSONValue(jsonString: example.result)), "\(result)")
  }

  @Test(
    "Numbers with more digits than a `Double` keep their digits and their order",
    arguments: [
      ("abs(`-12345678901234567.89`)", "12345678901234567.89"), ("abs(`-9223372036854775808`)", "9223372036854775808"),
      ("ceil(`12345678901234567.89`)", "12345678901234568"), ("floor(`12345678901234567.89`)", "12345678901234567"),
      ("floor(`-12345678901234567.89`)", "-12345678901234568"),
      ("ceil(`18446744073709551615`)", "18446744073709551615"),
      ("max(`[18446744073709551614,18446744073709551615]`)", "18446744073709551615"),
      ("min(`[9007199254740993,9007199254740992.5]`)", "9007199254740992.5"),
      ("`[18446744073709551614,18446744073709551615]`[?@ == `18446744073709551615`]", "[18446744073709551615]"),
      ("`18446744073709551615.0` == `18446744073709551615`", "true"), ("`1.0` == `1`", "true"),
    ]) func digits(expression: String, result: String) throws
  {
    #expect(try FilterExpression(expression).search(.null) == JSONValue(jsonString: result))
  }

  @Test(
    "an invalid expression is refused at its place",
    arguments: [
      ("", 0), ("foo.", 4), (".foo", 0), ("foo.1", 4), ("foo[", 4), ("foo]", 3), ("foo[abc]", 4), ("[*", 2), ("a b", 2),
      ("foo[?a", 6), ("a = b", 2), ("'abc", 0), ("`[1`", 0), ("`abc`", 0), ("\"abc", 0), ("\"\"", 0), ("{a: b", 5),
      ("{a b}", 3),
      ("{}", 1), ("[a,]", 3), ("abs(`1`,)", 8), ("abs(", 4), ("&a", 0), ("a[1:2:3:4]", 7), ("a.b.'c'", 4), ("a#", 1),
      ("a ||", 4),
      ("-", 0), ("[99999999999999999999]", 1), ("\"f\"(a)", 0), ("foo[*]bar", 6), ("a[1 2]", 4), ("foo.[1]", 5),
      ("((a)", 4),
    ]) func syntax(_ text: String, _ position: Int) throws
  {
    let error = try #require(throws: FilterError.self) { try FilterExpression(text) }
    guard case .syntax = error.problem else {
      Issue.record("\(error)")
      return
    }
    #expect(error.position == position, "\(error)")
    #expect(error.excerpt(of: text).hasSuffix(String(repeating: " ", count: position + 2) + "^"))
  }

  private func error(_ text: String, _ given: JSONValue) throws -> FilterError {
    try #require(throws: FilterError.self) { try FilterExpression(text).search(given) }
  }

  @Test(
    "unknown functions, wrong counts, types and values are refused",
    arguments: [
      ("a | Starts_With(a, b)", nil, FilterError.Problem.unknownFunction("Starts_With", suggestion: "starts_with")),
      ("nope(a)", nil, .unknownFunction("nope", suggestion: nil)),
      ("abs()", nil, .invalidArity("abs", expected: "1 argument", given: 0)),
      ("join('a')", nil, .invalidArity("join", expected: "2 arguments", given: 1)),
      ("merge()", nil, .invalidArity("merge", expected: "one argument or more", given: 0)),
      ("abs(@)", "secret", .invalidType("abs", expected: "a number", found: "string")),
      ("sort(@)", [1, "a"], .invalidType("sort", expected: "only numbers or only strings", found: "string")),
      ("sort_by(@, a)", [], .invalidType("sort_by", expected: "an expression (&…)", found: "a value")),
      ("abs(&a)", [], .invalidType("abs", expected: "a value", found: "an expression (&…)")),
      ("[::0]", [], .invalidValue("a slice's step cannot be 0")),
    ] as [(String, JSONValue?, FilterError.Problem)])
  func functions(text: String, given: JSONValue?, problem: FilterError.Problem) throws {
    #expect(try error(text, given ?? .null).problem == problem)
  }

  @Test("an error has its place, and no message has a value in it") func messages() throws {
    #expect(try error("  length(@)", 5).position == 2)
    #expect(!"\(try error("join('x', @)", ["a", 71_717]))".contains("71717"))
  }

  @Test(
    "Neither nesting nor length exhausts the stack: both have limits, with separate errors",
    arguments: [
      String(repeating: "(", count: 100_000), String(repeating: "[?", count: 50_000),
      String(repeating: "!", count: 99_000) + "a",
      "a" + String(repeating: ".a", count: 40_000), "a" + String(repeating: "|a", count: 40_000),
      "a" + String(repeating: "[]", count: 40_000), String(repeating: "[a,", count: 30_000),
      String(repeating: "abs(", count: 20_000), String(repeating: "{a:", count: 30_000),
      "a" + String(repeating: "[0]", count: 30_000),
      "a" + String(repeating: "[*]", count: 30_000), String(repeating: "*.", count: 40_000),
      "a" + String(repeating: "||a", count: 30_000),
    ]) func depth(_ text: String) throws
  {
    let error = try #require(throws: FilterError.self) { try FilterExpression(text) }
    #expect(error.problem == .tooDeep)
    let long = try #require(throws: FilterError.self) { try FilterExpression(String(repeating: " ", count: 200_000)) }
    #expect(long.problem == .tooLong)
  }

  /// A change of an expression: characters go, come twice, come from another one, or are put in.
  private static func change(_ text: inout [Unicode.Scalar], _ generator: inout SeededGenerator) {
    let pieces = [
      ".", "*", "[", "]", "[]", "[?", "{", "}", "(", ")", "@", "&", "&&", "|", "||", "!", "==", "<", ">=", "=", ",",
      ":", "'", "`", "\"", "\\", "\\u", "-", "0", "9", "a", "_", " ", "\n", "#", "é", "😀", "\u{301}", "\u{0}",
      "sort_by(", "length(", "null",
    ]
    let place = Int.random(in: 0...text.count, using: &generator)
    let end = min(text.count, place + Int.random(in: 1...12, using: &generator))
    switch Int.random(in: 0...3, using: &generator) {
    case 0: text.removeSubrange(place..<end)
    case 1: text.insert(contentsOf: Array(text[place..<end]), at: place)
    case 2:
      let other = Array((cases.randomElement(using: &generator)?.expression ?? "").unicodeScalars)
      let start = Int.random(in: 0...other.count, using: &generator)
      text.insert(contentsOf: other[start...].prefix(12), at: place)
    default: text.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").unicodeScalars, at: place)
    }
  }

  /// The result, or the problem with its place, as a text.
  private func outcome(of text: String, _ given: JSONValue) -> String {
    do throws(FilterError) {
      let result = try FilterExpression(text).search(given)
      return "\(result)"
    } catch {
      #expect((0...text.unicodeScalars.count).contains(error.position), "\(error) in \(text)")
      #expect(error.excerpt(of: text).hasSuffix("^"))
      return "\(error)"
    }
  }

  @Test("Any text has a result or a problem with its place, and the same one each time")
  func anyExpression() throws {
    var generator = SeededGenerator(seed: 3)
    let given = try Self.cases.map { try JSONValue(jsonString: $0.given) }
    // A slow machine tries fewer.
    let end = ContinuousClock.now + .seconds(60)
    var (results, problems) = (0, 0)
    for number in 0..<20_000 where number < 2_000 || ContinuousClock.now < end {
      var scalars = Array((Self.cases.randomElement(using: &generator)?.expression ?? "").unicodeScalars)
      for _ in 0..<Int.random(in: 1...4, using: &generator) { Self.change(&scalars, &generator) }
      let text = String(String.UnicodeScalarView(scalars))
      let value = given.randomElement(using: &generator) ?? .null
      let first = outcome(of: text, value)
      #expect(outcome(of: text, value) == first, "\(text)")
      if first.contains(" (at character ") { problems += 1 } else { results += 1 }
    }
    #expect(results > 100 && problems > 100)
  }

  @Test("An expression of the maximum depth is parsed and applied") func bound() throws {
    var value: JSONValue = 1
    for _ in 0..<150 { value = ["a": value] }
    let path = "a" + String(repeating: ".a", count: 149)
    #expect(try FilterExpression(path).search(value) == 1)
    let nested = String(repeating: "(", count: 60) + "@" + String(repeating: ")", count: 60)
    #expect(try FilterExpression(nested).search(7) == 7)
  }
}
