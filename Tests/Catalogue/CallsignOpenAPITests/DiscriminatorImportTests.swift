import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// Which values of a discriminator's member select the alternatives of a union.
@Suite struct DiscriminatorImportTests {
  /// A document that takes and responds with `Shape`, a `oneOf` of the given schemas.
  private func document(_ alternatives: [String], mapping: String = "", schemas: String) -> String {
    let list = alternatives.map { "{$ref: '#/components/schemas/\($0)'}" }.joined(separator: ", ")
    let mapping = mapping.isEmpty ? "" : ", mapping: {\(mapping)}"
    return document(schemas: "Shape: {oneOf: [\(list)], discriminator: {propertyName: t\(mapping)}}\n" + schemas)
  }

  /// A document that takes and responds with `Shape`.
  private func document(schemas: String) -> String {
    let json = "{application/json: {schema: {$ref: '#/components/schemas/Shape'}}}"
    return CallsignOpenAPITests.document(
      requestBody: "{required: true, content: \(json)}", responses: "{'200': {description: '', content: \(json)}}",
      schemas: schemas)
  }

  /// An object whose member `t`, which is required, has the schema.
  private func object(_ t: String, _ others: String = "r: {type: number}", required: String = "t") -> String {
    "{type: object, required: [\(required)], properties: {t: \(t), \(others)}}"
  }

  @Test(
    "The tag comes from the alternative's own values",
    arguments: [
      ("{type: string, enum: [circle]}", ""), ("{const: circle}", ""),
      ("{$ref: '#/components/schemas/CircleTag'}", "\nCircleTag: {type: string, enum: [circle]}"),
      ("{allOf: [{$ref: '#/components/schemas/CircleTag'}]}", "\nCircleTag: {type: string, enum: [circle]}"),
      ("{anyOf: [{const: circle}, {type: 'null'}]}", ""), ("{oneOf: [{const: circle}]}", ""),
    ])
  func ownValues(_ tag: String, _ others: String) throws {
    let imported = try Imported(
      document(
        ["Circle", "Square"],
        schemas:
          "Circle: \(object(tag))\nSquare: \(object("{type: string, enum: [square, rect]}", "side: {type: number}"))"
          + others))
    try #expect(
      imported.model("Shape")
        == "Shape:\n  $tag: t\n  $union:\n    circle: Circle\n    square: Square\n    rect: Square")
    try #expect(imported.model("Square") == "Square:\n  t: SquareT\n  side: number?")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A tag with one value is sent, even if the document makes it optional")
  func optionalTags() throws {
    let imported = try Imported(
      document(
        ["Circle", "Square"],
        schemas: "Circle: \(object("{const: circle, default: circle}", required: "r"))\n"
          + "Square: \(object("{anyOf: [{type: string, enum: [square]}, {type: 'null'}]}", required: "r"))"))
    try #expect(imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    circle: Circle\n    square: Square")
    try #expect(imported.model("Circle").hasPrefix("Circle:\n  t: {type: string, value: circle"))
    try #expect(imported.model("Square").hasPrefix("Square:\n  t: {type: string, value: square"))
    imported.expectRoundTrip()
  }

  @Test("Numbers and flags can be tags") func numbers() throws {
    let imported = try Imported(
      document(
        ["Circle", "Square"],
        schemas: "Circle: \(object("{type: integer, enum: [1]}"))\nSquare: \(object("{type: integer, enum: [2, 3]}"))"))
    try #expect(
      imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    \"1\": Circle\n    \"2\": Square\n    \"3\": Square"
    )
    imported.expectRoundTrip()
  }

  @Test("A mapping adds values that the alternatives lack, and its other values are warnings") func mappings() throws {
    let plain = "{type: string}"
    // A mapping of only one alternative.
    var imported = try Imported(
      document(
        ["Circle", "Square", "Line"], mapping: "round: '#/components/schemas/Circle'",
        schemas: "Circle: \(object(plain))\nSquare: \(object("{const: square}"))\nLine: \(object(plain))"))
    try #expect(
      imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    round: Circle\n    square: Square\n    Line: Line")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
    // A mapping that contradicts an alternative.
    imported = try Imported(
      document(
        ["Circle", "Square"], mapping: "Circle: Circle, square: Square",
        schemas: "Circle: \(object("{const: circle}"))\nSquare: \(object("{const: square}"))"))
    try #expect(imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    circle: Circle\n    square: Square")
    #expect(imported.warnings == ["`Circle` is mapped to `Circle`, whose `t` is `circle`; that is taken"])
    imported.expectRoundTrip()
  }

  @Test("A mapping's value that the base class forgot to list is taken") func unlistedValues() throws {
    func extending(_ member: String) -> String {
      "{allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {\(member): {type: number}}}]}"
    }
    let imported = try Imported(
      document(
        ["Base", "Circle", "Line"], mapping: "dot: Base, circle: Circle, line: Line",
        schemas: """
          Base: {type: object, required: [t], properties: {t: {type: string, enum: [dot, circle]}}}
          Circle: \(extending("r"))
          Line: \(extending("length"))
          """))
    try #expect(
      imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    dot: Base\n    circle: Circle\n    line: Line")
    try #expect(imported.model("Line") == "Line:\n  t: {type: string, value: line}\n  length: number?")
    #expect(imported.warnings == ["`t` of `Line` does not list the value that it is mapped to, `line`; that is taken"])
    imported.expectRoundTrip()
  }

  @Test("Values that all alternatives have select by mapping, by name, or by the alternatives' shapes")
  func sharedValues() throws {
    let kind = "\nKind: {type: string, enum: [circle, square, other]}"
    let schemas =
      "Circle: \(object("{$ref: '#/components/schemas/Kind'}"))\n"
      + "Square: \(object("{$ref: '#/components/schemas/Kind'}", "side: {type: number}", required: "t, side"))" + kind
    var imported = try Imported(document(["Circle", "Square"], schemas: schemas))
    try #expect(
      imported.model("Shape")
        == "Shape:\n  $tag: t\n  $union:\n    circle: Circle\n    square: Square\n    other: ShapeOther")
    try #expect(imported.model("ShapeOther") == "ShapeOther: union [Circle, Square]")
    imported.expectRoundTrip()
    imported = try Imported(
      document(["Circle", "Square"], mapping: "circle: Square, square: Circle, other: Circle", schemas: schemas))
    try #expect(
      imported.model("Shape")
        == "Shape:\n  $tag: t\n  $union:\n    square: Circle\n    other: Circle\n    circle: Square")
    imported.expectRoundTrip()
    // Nothing but their shapes.
    imported = try Imported(
      document(
        ["A", "B"], schemas: "A: \(object("{enum: [x, 'y']}"))\nB: \(object("{enum: [x, 'y']}", "s: {type: string}"))"))
    try #expect(imported.model("Shape") == "Shape: union [A, B]")
  }

  @Test("An alternative that is a union with the same tag has all of its values") func unionsInUnions() throws {
    let imported = try Imported(
      document(
        ["Easy", "Item"],
        schemas: """
          Item: {oneOf: [{$ref: '#/components/schemas/Message'}, {$ref: '#/components/schemas/Tool'}], discriminator: {propertyName: t}}
          Easy: \(object("{type: string, enum: [message]}", "role: {type: string}", required: "role"))
          Message: \(object("{type: string, enum: [message]}", "id: {type: string}", required: "t, id"))
          Tool: \(object("{type: string, enum: [call]}"))
          """))
    try #expect(
      imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    call: Item\n    message: ShapeMessage")
    try #expect(imported.model("ShapeMessage") == "ShapeMessage: union [Easy, Message]")
    try #expect(imported.model("Item") == "Item:\n  $tag: t\n  $union:\n    message: Message\n    call: Tool")
    imported.expectRoundTrip()
  }

  @Test("Unions that contain one another have their own tags") func recursion() throws {
    let imported = try Imported(
      document(
        ["Leaf", "Group"],
        schemas: "Leaf: \(object("{const: leaf}"))\n"
          + "Group: \(object("{const: group}", "all: {type: array, items: {$ref: '#/components/schemas/Shape'}}"))"))
    try #expect(imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    leaf: Leaf\n    group: Group")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("An alternative through which a union is its own alternative is left out") func unionsOfThemselves() throws {
    func warning(_ alternative: String, of union: String) -> String {
      "the alternative `\(alternative)` of `\(union)` leads back to `\(union)`, so reading it may never end; it is left out"
    }
    let circle = "Circle: \(object("{const: circle}"))"
    var imported = try Imported(
      document(["Circle", "Shape"], mapping: "circle: Circle, group: Shape", schemas: circle))
    try #expect(imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    circle: Circle")
    #expect(imported.warnings == [warning("Shape", of: "Shape")])
    imported.expectRoundTrip()
    // Through another union, which keeps its alternatives.
    imported = try Imported(
      document(
        ["Circle", "Other"], mapping: "circle: Circle, other: Other",
        schemas: circle + """

          Other: {oneOf: [{$ref: '#/components/schemas/Line'}, {$ref: '#/components/schemas/Shape'}], discriminator: {propertyName: k, mapping: {line: Line, shape: Shape}}}
          Line: {type: object, required: [k], properties: {k: {const: line}}}
          """))
    try #expect(imported.model("Shape") == "Shape:\n  $tag: t\n  $union:\n    circle: Circle")
    try #expect(imported.model("Other") == "Other:\n  $tag: k\n  $union:\n    line: Line\n    shape: Shape")
    #expect(imported.warnings == [warning("Other", of: "Shape")])
    imported.expectRoundTrip()
    // Nothing else is left.
    imported = try Imported(document(["Shape"], mapping: "group: Shape", schemas: ""))
    try #expect(imported.model("Shape") == "Shape: json")
    #expect(imported.warnings == [warning("Shape", of: "Shape")])
    imported.expectRoundTrip()
  }

  @Test(
    "Extensions of a base class have their own values",
    arguments: [
      // In each extension, in the base class by the names, and in both.
      ("{type: string}", "{const: circle}", "{type: string, enum: [square, rect]}", "square: Square\n    rect: Square"),
      ("{type: string, enum: [circle, square]}", "", "", "square: Square"),
      (
        "{type: string, enum: [circle, square, rect]}", "", "{enum: [square, rect]}", "square: Square\n    rect: Square"
      ),
    ])
  func inheritance(base: String, circle: String, square: String, ofSquare: String) throws {
    func extending(_ t: String) -> String {
      let own = t.isEmpty ? "" : "t: \(t), "
      return "{allOf: [{$ref: '#/components/schemas/Shape'}, {type: object, properties: {\(own)r: {type: number}}}]}"
    }
    let imported = try Imported(
      document(
        schemas: """
          Shape: {type: object, required: [t], properties: {t: \(base)}, discriminator: {propertyName: t}}
          Circle: \(extending(circle))
          Square: \(extending(square))
          """))
    let shape = try imported.model("Shape").split(separator: "\n").filter { !$0.contains("Shape: Shape") }
    #expect(shape.joined(separator: "\n") == "Shape:\n  $tag: t\n  $union:\n    circle: Circle\n    \(ofSquare)")
    imported.expectRoundTrip()
  }

  @Test("Many alternatives of many values are read at once", .timeLimit(.minutes(1))) func many() throws {
    let names = (0..<60).map { "S\($0)" }
    let imported = try Imported(
      document(
        names,
        schemas: names.map { name in
          let values = (0..<60).map { "\(name)x\($0)" }.joined(separator: ", ")
          return "\(name): {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {t: {enum: [\(values)]}}}]}"
        }.joined(separator: "\n") + "\nBase: \(object("{type: string}"))"))
    try #expect(imported.model("Shape").contains("S7x7: S7\n"))
  }
}
