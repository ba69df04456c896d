import CallsignCatalogue

/// Writes a model.
struct ModelEmitter {
  let types: SwiftTypeNames
  let visibility: Visibility

  func write(_ model: ModelPlan, to writer: inout SourceWriter) {
    writer.gap()
    writer.documentation(model.documentation)
    let name = SwiftName.escaped(model.name)
    switch model.shape {
    case .alias(let type): writer.line("\(visibility.access)typealias \(name) = \(type)")
    case .object(let object): write(object, name, to: &writer)
    case .enumeration(let plan): EnumEmitter(types: types, visibility: visibility).write(plan, name, to: &writer)
    case .union(let union): UnionEmitter(types: types, visibility: visibility).write(union, name, to: &writer)
    }
  }

  private func write(_ object: ObjectPlan, _ name: String, to writer: inout SourceWriter) {
    var conformances = [
      types.conformances(.model), types.name(.customReflectable), types.name(.customDebugStringConvertible),
    ]
    if object.isIdentifiable { conformances.append(types.name(.identifiable)) }
    writer.block("\(visibility.access)struct \(name): \(conformances.joined(separator: ", "))") { writer in
      let storage = types.name(.modelStorage)
      writer.line("\(visibility.access)var _storage: \(storage)")
      writer.line("\(visibility.access)init(_storage: \(storage)) { self._storage = _storage }")
      let layout = [SwiftLiteral.string(object.layout.text)] + object.layout.types.map { $0 + ".self" }
      writer.line("\(visibility.inlined)static var _layout: \(types.name(.modelLayout)) {")
      writer.indented { $0.list(types.name(.modelLayout), layout, "") }
      writer.line("}")
      for (index, property) in object.properties.enumerated() {
        if !property.documentation.isEmpty { writer.documentation([property.documentation]) }
        let slot = "_storage[" + property.accessor.rawValue + ": " + String(index) + "]"
        let declaration = visibility.inlined + "var " + SwiftName.escaped(property.name) + ": " + property.type
        // Without an explicit `_modify`, the compiler makes one and compiles its body whenever it compiles the module's interface.
        // That takes a quarter of the time for the interface, which is compiled after each edit.
        let accessors = " { get { " + slot + " } set { " + slot + " = newValue } _modify { yield &" + slot + " } }"
        writer.line(declaration, accessors)
      }
      writeInitializer(of: object, to: &writer)
    }
  }

  private func writeInitializer(of object: ObjectPlan, to writer: inout SourceWriter) {
    // Optional arguments come last.
    var required: [String] = []
    var others: [String] = []
    var lastRequired: PropertyPlan?
    var lastOther: PropertyPlan?
    for property in object.properties where property.isInitialized {
      let parameter = SwiftName.escapedLabel(property.name) + ": " + property.type
      if property.canBeLeftOut {
        others.append(parameter + (property.isAssignedIfGiven ? "? = nil" : " = nil"))
        lastOther = property
      } else {
        required.append(parameter)
        lastRequired = property
      }
    }
    let last = lastOther ?? lastRequired
    writer.documentation(["Makes a value." + (last?.isOptional == true ? " What is left out is absent." : "")])
    writer.list("\(visibility.inlined)init", required + others, " {")
    writer.indented { writer in
      writer.line("self._storage = \(types.name(.modelStorage))(for: Self.self)")
      for property in object.properties {
        if let constant = property.constant { writer.line("self.\(SwiftName.escaped(property.name)) = \(constant)") }
      }
      for property in object.properties where property.isInitialized {
        let name = SwiftName.escaped(property.name)
        // A missing list is not sent; an empty one is.
        if property.isAssignedIfGiven {
          writer.line("if let " + name, " { self.", name, " = ", name + " }")
        } else {
          writer.line("self.", name, " = ", name)
        }
      }
    }
    writer.line("}")
  }

  /// Gives members of a response precedence over members of `Response` with the same name.
  func write(_ members: [ResponseMember], of type: String, to writer: inout SourceWriter) {
    writer.gap()
    writer.block("extension \(types.name(.response)) where Value == \(type)") { writer in
      for member in members {
        let name = SwiftName.escaped(member.name)
        if let header = member.header {
          writer.documentation([
            header.summary.map(SwiftLiteral.comment) ?? "The header field `\(SwiftLiteral.comment(header.name))`."
          ])
          var arguments = SwiftLiteral.string(header.name)
          if let format = header.format, format != .rfc3339 { arguments += ", " + DateFormatText.expression(format) }
          writer.line(
            "\(visibility.inlined)var \(name): \(member.type) { rawResponse.header(\(arguments)) }")
          continue
        }
        writer.documentation(["The response's own `\(member.name)`."])
        writer.line("\(visibility.inlined)var \(name): \(member.type) { self[dynamicMember: \\.\(name)] }")
      }
    }
  }
}

extension PropertyPlan {
  /// Whether the initializer's argument has the default `nil`.
  fileprivate var canBeLeftOut: Bool { isOptional || isReadOnly }

  /// Whether the argument is optional and the property is not.
  fileprivate var isAssignedIfGiven: Bool { canBeLeftOut && (isList || !isOptional) }
}

/// Writes an enum.
struct EnumEmitter {
  let types: SwiftTypeNames
  let visibility: Visibility

  func write(_ plan: EnumPlan, _ name: String, to writer: inout SourceWriter) {
    if plan.isClosed {
      writeClosed(plan, name, to: &writer)
    } else if plan.isInteger {
      writeInteger(plan.cases, name, to: &writer)
    } else {
      writeOpen(plan.cases, name, to: &writer)
    }
  }

  /// Writes an enum as a plain Swift enum.
  private func writeClosed(_ plan: EnumPlan, _ name: String, to writer: inout SourceWriter) {
    let raw = types.name(plan.isInteger ? .int : .string)
    let conformances = "\(raw), \(types.conformances(.closedEnum)), \(types.name(.parameterValue))"
    writer.block("\(visibility.access)enum \(name): \(conformances)") { writer in
      for value in plan.cases {
        if !value.documentation.isEmpty { writer.documentation([value.documentation]) }
        let wire = plan.isInteger ? value.wire : SwiftLiteral.string(value.wire)
        writer.line("case \(SwiftName.escaped(value.name)) = \(wire)")
      }
    }
  }

  private func writeInteger(_ cases: [CasePlan], _ name: String, to writer: inout SourceWriter) {
    let access = visibility.access
    let int = types.name(.int)
    writer.block(
      "\(access)enum \(name): \(types.conformances(.integerEnum)), \(types.name(.parameterValue))"
    ) { writer in
      for value in cases {
        if !value.documentation.isEmpty { writer.documentation([value.documentation]) }
        writer.line("case \(SwiftName.escaped(value.name))")
      }
      writer.documentation(["A value that the catalogue does not know."])
      writer.line("case unknown(\(int))")
      writer.block("\(access)init(rawValue: \(int))") { writer in
        writer.line("switch rawValue {")
        for value in cases { writer.line("case \(value.wire): self = .\(SwiftName.escaped(value.name))") }
        writer.line("default: self = .unknown(rawValue)")
        writer.line("}")
      }
      writer.block("\(access)var rawValue: \(int)") { writer in
        writer.line("switch self {")
        for value in cases { writer.line("case .\(SwiftName.escaped(value.name)): \(value.wire)") }
        writer.line("case .unknown(let value): value")
        writer.line("}")
      }
    }
  }

  private func writeOpen(_ cases: [CasePlan], _ name: String, to writer: inout SourceWriter) {
    let string = types.name(.string)
    let access = visibility.access
    writer.block("\(access)enum \(name): \(types.conformances(.openEnum)), \(types.name(.parameterValue))") { writer in
      for value in cases {
        if !value.documentation.isEmpty { writer.documentation([value.documentation]) }
        writer.line("case \(SwiftName.escaped(value.name))")
      }
      writer.documentation(["A value that the catalogue does not know."])
      writer.line("case unknown(\(string))")
      writer.line("\(access)static var names: \(types.name(.staticString)) { \(names(cases.map(\.wire))) }")
      writer.block("\(access)init(index: \(types.name(.int)), text: \(string))") { writer in
        writer.line("switch index {")
        for (index, value) in cases.enumerated() {
          writer.line("case \(index): self = .\(SwiftName.escaped(value.name))")
        }
        writer.line("default: self = .unknown(text)")
        writer.line("}")
      }
      writer.block("\(access)var rawValue: \(string)") { writer in
        writer.line("switch self {")
        for value in cases {
          writer.line("case .\(SwiftName.escaped(value.name)): \(SwiftLiteral.string(value.wire))")
        }
        writer.line("case .unknown(let text): text")
        writer.line("}")
      }
    }
  }

  private func names(_ values: [String]) -> String { SwiftLiteral.string(WordList.text(values)) }
}

/// Strings in a single literal, which the runtime splits.
enum WordList {
  /// Joins the strings with spaces. If a string contains a space, or the only string is empty, a line break precedes each string
  /// instead.
  static func text(_ words: [String]) -> String {
    words == [""] || words.contains { $0.utf8.contains(UInt8(ascii: " ")) }
      ? words.map { "\n" + $0 }.joined() : words.joined(separator: " ")
  }
}

/// Writes a union.
struct UnionEmitter {
  let types: SwiftTypeNames
  let visibility: Visibility

  func write(_ union: UnionPlan, _ name: String, to writer: inout SourceWriter) {
    let access = visibility.access
    let json = types.name(.jsonValue)
    writer.block("\(access)enum \(name): \(types.conformances(.union))") { writer in
      for variant in union.variants {
        writer.documentation(["A value of type `\(variant.type)`."])
        writer.line(
          "\(variant.isIndirect ? "indirect " : "")case \(SwiftName.escaped(variant.name))(\(variant.type))")
      }
      writer.documentation(["A value that is none of these."])
      writer.line("case unknown(\(json))")
      if union.tag == nil {
        let variants = union.variants.map { $0.type + ".self" }
        writer.list("private static let _variants = \(types.name(.unionVariants))", variants, "")
      }
      writer.block(
        "\(access)init(json reader: inout \(types.name(.jsonReader))) throws(\(types.name(.jsonError)))"
      ) { writer in
        var position = 0
        writer.line("switch try reader.\(variant(union)) {")
        for variant in union.variants {
          let count = union.tag == nil ? 1 : variant.tags.count
          guard count > 0 else { continue }
          let positions = (position..<position + count).map(String.init).joined(separator: ", ")
          position += count
          writer.line(
            "case \(positions): self = .\(SwiftName.escaped(variant.name))(try \(variant.type)(json: &reader))")
        }
        writer.line("default: self = .unknown(try \(json)(json: &reader))")
        writer.line("}")
      }
      writer.block("\(access)var _value: any \(types.name(.jsonCodable)) & \(types.name(.sendable))") { writer in
        writer.line("switch self {")
        for (name, value) in union.variants.map({ ($0.name, $0.converted ?? "value") }) + [("unknown", "value")] {
          writer.line("case .\(SwiftName.escaped(name))(let value): \(value)")
        }
        writer.line("}")
      }
      for member in union.shared {
        writer.documentation(["The member `\(SwiftLiteral.comment(member.wire))`, which all variants have."])
        writer.line(
          "\(visibility.inlined)var \(SwiftName.escaped(member.name)): \(member.type)\(member.isList ? "" : "?") "
            + "{ _member(\(SwiftLiteral.string(member.wire)))\(member.isList ? " ?? []" : "") }")
      }
    }
  }

  /// The runtime function that selects the variant from the JSON.
  private func variant(_ union: UnionPlan) -> String {
    guard let tag = union.tag else {
      return "variant(of: Self._variants)"
    }
    let values = WordList.text(union.variants.flatMap(\.tags))
    return "variant(tag: \(SwiftLiteral.string(tag)), \(SwiftLiteral.string(values)))"
  }
}
