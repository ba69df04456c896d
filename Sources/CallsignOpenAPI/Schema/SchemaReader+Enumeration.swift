import CallsignCatalogue

extension SchemaReader {
  /// `enum` and `const`: strings become an open enum; the catalogue has no enums of numbers.
  func enumeration(_ values: [DocumentValue], types: [String], at pointer: String) -> Use {
    let isNullable = values.contains(.null)
    let values = values.filter { $0 != .null }
    if values.isEmpty { return Use(.scalar(.json), isNullable: true) }
    if types == ["string"] || types.isEmpty && values.allSatisfy({ $0.string != nil }) {
      var seen: Set<String> = []
      let texts = values.compactMap(\.scalarText).filter { seen.insert($0).inserted }
      if !texts.isEmpty { return Use(.enumeration(EnumerationShape(values: texts)), isNullable: isNullable) }
    }
    if values.allSatisfy({ $0.bool != nil }) { return Use(.scalar(.bool), isNullable: isNullable) }
    let numbers = values.compactMap { value in if case .number(let text) = value { text } else { nil } }
    if numbers.count == values.count {
      let whole = Set(numbers.compactMap { Int($0) })
      let list = numbers.joined(separator: ", ")
      guard whole.count == Set(numbers).count, let least = whole.min(), let greatest = whole.max() else {
        log.warn("an enum of numbers (\(list)) is taken as any number", at: pointer)
        return Use(.scalar(types == ["integer"] ? .int : .number), isNullable: isNullable)
      }
      if greatest.subtractingReportingOverflow(least) != (whole.count - 1, false) {
        log.warn("an enum of numbers (\(list)) is taken as a range", at: pointer)
      }
      return Use(
        .scalar(.int), isNullable: isNullable,
        constraints: Constraints(minimum: String(least), maximum: String(greatest)))
    }
    log.warn("an enum of values that are not all strings or all numbers is taken as any JSON", at: pointer)
    return Use(.scalar(.json), isNullable: isNullable)
  }
}
