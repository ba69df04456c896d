import CallsignCatalogue
import CallsignJSON

extension SchemaReader {
  /// Reads `enum`, `const` and `x-extensible-enum`; `nil` if the schema has none of them.
  ///
  /// Enums are open unless the document says that they are closed: an API that adds a value must not break its callers.
  func enumeration(_ schema: DocumentValue, types: [String], at pointer: String) -> Use? {
    if let values = schema["enum"]?.list {
      let isOfScalars = values.allSatisfy { $0.scalarText != nil || $0 == .null }
      if !isOfScalars, types == ["array"] || types == ["object"] {
        log.countUnsaid(keyword: "enum", at: pointer)
        return nil
      }
      let words = Words(of: values, in: schema)
      guard types == ["array"], !values.isEmpty else {
        return enumeration(values, words, schema, types: types, at: pointer)
      }
      log.warn("an array is none of the values of its enum; its elements are taken to be", at: pointer)
      let type = schema["items"]?["type"]?.string
      let element = enumeration(values, words, schema, types: type.map { [$0] } ?? [], at: pointer)
      return Use(.list(Use(element.shape)), constraints: constraints(of: schema, for: .list(element), at: pointer))
    }
    if let constant = schema.object?["const"] {
      // A value that is a separate alternative has its name in the title.
      var words = Words(of: [constant], in: schema)
      if let title = schema["title"]?.string { words.names[constant.scalarText ?? ""] = title }
      words.summaries[constant.scalarText ?? ""] = schema["description"]?.string
      return enumeration([constant], words, schema, types: types, at: pointer)
    }
    // Zalando's guidelines, rule 112: these are the values known so far.
    if let values = schema["x-extensible-enum"]?.list, !values.isEmpty {
      var use = enumeration(values, Words(of: values, in: schema), schema, types: types, at: pointer)
      if case .enumeration(var shape) = use.shape {
        shape.isExtensible = true
        use.shape = .enumeration(shape)
      }
      return use
    }
    return nil
  }

  /// The document's texts for an enum's values, by value. JSON Schema has no keyword for them, so generators use their own.
  private struct Words {
    var names: [String: String] = [:]
    var summaries: [String: String] = [:]

    init(of values: [DocumentValue], in schema: DocumentValue) {
      let texts = values.map { $0.scalarText ?? "" }
      func take(_ key: String, into table: inout [String: String]) {
        switch schema[key] {
        case .list(let list)? where list.count == texts.count:
          for (text, word) in zip(texts, list) { if let word = word.string { table[text] = word } }
        case .object(let object)?:
          for member in object.members { if let word = member.value.string { table[member.key] = word } }
        default: break
        }
      }
      for key in ["x-enum-varnames", "x-enumNames", "x-enum-names", "x-speakeasy-enums"] { take(key, into: &names) }
      for key in ["x-enum-descriptions", "x-enumDescriptions", "x-speakeasy-enum-descriptions"] {
        take(key, into: &summaries)
      }
      // Names and sentences together, next to each value or in the order of the values.
      for list in [schema["x-ms-enum"]?["values"]?.list, schema["x-enum-elements"]?.list] {
        guard let list else { continue }
        for (index, element) in list.enumerated() {
          let text = element["value"]?.scalarText ?? (list.count == texts.count ? texts[index] : nil)
          guard let text else { continue }
          if let name = element["name"]?.string { names[text] = name }
          if let summary = element["description"]?.string { summaries[text] = summary }
        }
      }
    }
  }

  /// Whether the document says that there will be no other values. Microsoft's extension means that, unless it requests an open
  /// enum with `modelAsString`.
  private static func isClosed(_ schema: DocumentValue) -> Bool { schema["x-ms-enum"]?["modelAsString"]?.bool == false }

  /// The longest run of consecutive unnamed numbers that still makes a useful enum.
  private static let longestRow = 24

  private func enumeration(
    _ all: [DocumentValue], _ words: Words, _ schema: DocumentValue, types: [String], at pointer: String
  ) -> Use {
    let isNullable = all.contains(.null)
    let values = all.filter { value in
      guard value.string?.unicodeScalars.contains("\n") == true else { return value != .null }
      log.warn("a value of the enum has a line end, and is left out", at: pointer)
      return false
    }
    if values.isEmpty { return isNullable ? onlyNull(at: pointer) : Use(.scalar(.json), isNullable: true) }
    var shape = EnumerationShape(values: [], isClosed: Self.isClosed(schema))
    shape.summaries = words.summaries
    if types == ["integer"] || types == ["number"] || !types.contains("string") && values.allSatisfy({ $0.isNumber }),
      let numbers = Self.wholeNumbers(values)
    {
      shape.isInteger = true
      var seen: Set<String> = []
      shape.values = numbers.map(\.text).filter { seen.insert($0).inserted }
      for number in numbers { shape.names[number.text] = number.name ?? words.names[number.text] }
      if shape.names.isEmpty, let range = Self.longRow(shape.values) {
        return Use(.scalar(.int), isNullable: isNullable, constraints: range)
      }
      return Use(.enumeration(shape), isNullable: isNullable)
    }
    let isText = values.allSatisfy { $0.string != nil }
    let isBool = values.allSatisfy { $0.bool != nil || ["true", "false"].contains($0.string) }
    if types == ["string"] || isText && !(isBool && types == ["boolean"]) {
      if let type = types.first, !types.contains("string") {
        log.warn("the values of the enum are texts and no \(type); they are taken as texts", at: pointer)
      }
      var seen: Set<String> = []
      shape.values = values.compactMap(\.scalarText).filter { seen.insert($0).inserted }
      // Most values are already valid names.
      for value in shape.values where value.first?.isLetter != true { shape.names[value] = words.names[value] }
      if !shape.values.isEmpty { return Use(.enumeration(shape), isNullable: isNullable) }
    }
    if isBool {
      if Set(values.compactMap(\.scalarText)).count == 1 {
        log.count("a flag that always has the same value is taken as any flag", at: pointer)
      }
      return Use(.scalar(.bool), isNullable: isNullable)
    }
    if values.allSatisfy(\.isNumber) {
      let list = values.compactMap(\.scalarText).joined(separator: ", ")
      log.warn("an enum of numbers that are not whole (\(list)) is taken as any number", at: pointer)
      return Use(.scalar(.number), isNullable: isNullable)
    }
    log.warn("an enum of values that are not all strings or all numbers is taken as any JSON", at: pointer)
    return Use(.scalar(.json), isNullable: isNullable)
  }

  /// The values as whole numbers, including `1.0` and the text `"1"`, with the name in brackets that may follow one, as in `101
  /// (EastAsia)`; `nil` if there are other values.
  private static func wholeNumbers(_ values: [DocumentValue]) -> [(text: String, name: String?)]? {
    var result: [(String, String?)] = []
    for value in values {
      switch value {
      case .number(let text):
        guard let number = Int(text) ?? (try? JSONValue(jsonString: text))?.int else { return nil }
        result.append((String(number), nil))
      case .string(let text):
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, let number = Int(first) else { return nil }
        guard parts.count == 2 else {
          result.append((String(number), nil))
          continue
        }
        guard parts[1].hasPrefix("("), parts[1].hasSuffix(")") else { return nil }
        result.append((String(number), String(parts[1].dropFirst().dropLast())))
      default: return nil
      }
    }
    return result
  }

  /// The bounds of a long run of consecutive numbers, for which a range is as good as an enum.
  private static func longRow(_ values: [String]) -> Constraints? {
    let numbers = values.compactMap { Int($0) }
    guard numbers.count > longestRow, let least = numbers.min(), let greatest = numbers.max(),
      greatest.subtractingReportingOverflow(least) == (numbers.count - 1, false)
    else { return nil }
    return Constraints(minimum: String(least), maximum: String(greatest))
  }
}

extension DocumentValue {
  var isNumber: Bool { if case .number = self { true } else { false } }
}
