import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Choices, constants, and framing by a parameter")
struct ChoiceTests {
  @Test("named cases, nested choices, and a choice that may be left out")
  func choices() throws {
    let catalogue = try loadShop(
      """
      endpoints:
        a:
          call: GET /a
          params: {list_id: string?, slug: string?, owner_id: string?, owner_name: string?, id: string?, name: string?}
          one_of:
            ListReference list:
              id: list_id
              slug: [slug, {UserReference owner: {id: owner_id, name: owner_name}}]
            "UserReference? user": {id: id, name: name}
      """
    ).expectCatalogue()
    let rules = try catalogue.endpoint("a").rules
    try #require(rules.count == 2)
    #expect(rules[0].parameters == ["list_id", "slug", "owner_id", "owner_name"])
    #expect(rules[0].alternatives.map(\.name) == ["id", "slug"])
    #expect(rules[0].isOptional == false)
    #expect(rules[0].alternatives.first?.parts == [.parameter("list_id")])
    let parts = try #require(rules[0].alternatives.last?.parts)
    guard parts.count == 2, parts[0] == .parameter("slug"), case .choice(let owner) = parts[1] else {
      Issue.record("the slug comes with a choice of owners, not with \(parts)")
      return
    }
    #expect(owner.swiftType == "UserReference")
    #expect(owner.swiftLabel == "owner")
    #expect(owner.parameters == ["owner_id", "owner_name"])
    #expect(rules[1].isOptional)
    #expect(rules[1].swiftType == "UserReference")
    #expect(rules[1].swiftLabel == "user")
  }

  @Test("a constant is a text unless it has a type, and no argument")
  func constants() throws {
    let catalogue = try loadShop(
      """
      endpoints:
        a:
          call: POST /a
          params: {command: {value: INIT}, whole: {type: bool, value: true}, options: {value: x}}
      """
    ).expectCatalogue()
    let parameters = try catalogue.endpoint("a").parameters
    #expect(parameters.map(\.constant) == ["INIT", "true", "x"])
    #expect(parameters.map(\.type.kind) == [.scalar(.string), .scalar(.bool), .scalar(.string)])
  }

  @Test("a parameter switches a stream to length framing")
  func framing() throws {
    let catalogue = try loadShop(
      """
      endpoints:
        a:
          call: GET /a
          params: {delimited: string?}
          returns: json
          stream: {framing: lines, length: delimited}
      """
    ).expectCatalogue()
    let endpoint = try catalogue.endpoint("a")
    #expect(endpoint.stream == .lines)
    #expect(endpoint.lengthFramingParameter == "delimited")
  }

  @Test("a stream sends missed records again", arguments: ["data.id", nil])
  func backfill(id: String?) throws {
    let catalogue = try loadShop(
      """
      endpoints:
        a:
          call: GET /a
          params: {minutes: int(0..5)?}
          returns: Record
          stream: {backfill: minutes\(id.map { ", id: \($0)" } ?? "")}
      models:
        Record: {data: Data?}
        Data: {id: ID?}
        ID: string
      """
    ).expectCatalogue()
    let endpoint = try catalogue.endpoint("a")
    #expect(endpoint.stream == .lines)
    #expect(endpoint.backfill == Backfill(parameter: "minutes", id: id))
  }

  @Test(
    "the maximum of minutes can be at the use of an alias, or in the alias",
    arguments: [("int", "Minutes(0..5)?"), ("int(0..5)", "Minutes?"), ("int(0..9)", "Minutes(..5)?")])
  func backfillByAlias(alias: String, use: String) throws {
    let catalogue = try loadShop(
      """
      endpoints:
        a: {call: GET /a, params: {minutes: "\(use)"}, returns: json, stream: {backfill: minutes}}
      models:
        Minutes: \(alias)
      """
    ).expectCatalogue()
    let facts = EndpointFacts(try catalogue.endpoint("a"), of: catalogue.api, ModelTable(catalogue))
    #expect(facts.backfillLimit == 5)
  }

  @Test(
    "mistakes are reported at their place",
    arguments: [
      (
        "params: {a: string?, b: string?}\n    one_of: {R r: {x: a, x y: b}}", "shop.yaml:5:26",
        "`x y` is not a Swift name"
      ),
      (
        "params: {a: string?, b: string?, c: string?}\n    one_of: {R r: {x: a, y: [b, {S? s: [c, a]}]}}",
        "shop.yaml:5:34", "a choice within an alternative is always made"
      ),
      (
        "params: {a: string?, b: string?, c: string?}\n    one_of: {R r: {x: a, y: [{S s: [b, c]}]}}",
        "shop.yaml:5:29", "an alternative begins with a parameter"
      ),
      (
        "params: {a: string?, b: int?, c: string?, d: string?}\n    one_of: {R r: {x: a, y: b}, R s: {x: c, y: d}}",
        "shop.yaml:5:33", "`R` stands for `x(string), y(int)`"
      ),
      (
        "params: {a: string?, b: string?}\n    any_of: {R r: [a, b]}", "shop.yaml:5:14",
        "only `one_of` can become one argument"
      ),
      ("params: {a: {type: int, value: many}}", "shop.yaml:4:36", "`many` is not a value of the type"),
      ("params: {a: {type: int?, value: 3}}", "shop.yaml:4:24", "is always sent; remove `?`"),
      (
        "params: {a: {value: x}, b: string?}\n    one_of: [a, b]", "shop.yaml:4:25",
        "is always sent; remove it from the rules"
      ),
      (
        "params: {delimited: string?}\n    returns: json\n    stream: {length: delimeted}", "shop.yaml:6:22",
        "`length` names `delimeted`, which is not a parameter; did you mean `delimited`?"
      ),
      (
        "params: {minutes: int(..5)?}\n    returns: json\n    stream: {backfill: minuets}", "shop.yaml:6:24",
        "`backfill` names `minuets`, which is not a parameter; did you mean `minutes`?"
      ),
      (
        "params: {minutes: int?}\n    returns: json\n    stream: {backfill: minutes}", "shop.yaml:6:24",
        "`minutes` needs a greatest number of minutes"
      ),
      (
        "params: {minutes: string?}\n    returns: json\n    stream: {backfill: minutes}", "shop.yaml:6:24",
        "`minutes` counts minutes, so its type is `int`"
      ),
      (
        "params: {minutes: {type: int(..5)?, in: header}}\n    returns: json\n    stream: {backfill: minutes}",
        "shop.yaml:6:24", "must be in the query"
      ),
      (
        "params: {minutes: int(..5)?}\n    returns: json\n    stream: {id: data.id}", "shop.yaml:6:14",
        "`id` shows which records `backfill` repeats; add `backfill`, or remove `id`"
      ),
      (
        "params: {minutes: int(..5)?}\n    returns: string\n    stream: {backfill: minutes, id: data.id}",
        "shop.yaml:6:37", "has no `data`"
      ),
      (
        "params: {minutes: int(..5)?}\n    returns: \"{[int]}\"\n    stream: {backfill: minutes, id: data}",
        "shop.yaml:6:37", "`data` is not an id"
      ),
    ])
  func mistakes(_ endpoint: String, _ place: String, _ message: String) {
    let result = loadShop("endpoints:\n  a:\n    call: GET /a\n    \(endpoint)")
    let matching = result.diagnostics.filter { $0.message.contains(message) }
    #expect(matching.count == 1, "\(result.diagnostics)")
    #expect(matching.first.map { "\($0)".hasPrefix(place + ":") } == true, "\(matching)")
  }
}
