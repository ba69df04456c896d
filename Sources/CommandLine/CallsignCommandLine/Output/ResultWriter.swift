import Callsign
import CallsignJSON
import CallsignSupport
import CallsignYAML
import Foundation

/// Writes results in a format.
package struct ResultWriter: Sendable {
  package var format: OutputFormat
  /// The members to show, as dotted paths; empty for all.
  package var fields: [String]
  package let terminal: Terminal
  /// Selects from a response, or from each of its elements if these arrive one by one.
  private let filter: FilterExpression?
  /// Whether strings are written without quotation marks.
  private let writesRawText: Bool

  /// - Parameters:
  ///   - format: The format.
  ///   - fields: The members to show; empty for all.
  ///   - filter: Selects from a response, before members are chosen. Default: none.
  ///   - writesRawText: Whether a JSON string is written without quotation marks. Default: no.
  package init(
    _ format: OutputFormat, fields: [String], terminal: Terminal, filter: FilterExpression? = nil,
    writesRawText: Bool = false
  ) {
    self.format = format
    self.fields = fields
    self.terminal = terminal
    self.filter = filter
    self.writesRawText = writesRawText
  }

  /// Writes a response: JSON in the format, other bytes unchanged, and for a response without content its status, as a message.
  ///
  /// - Parameters:
  ///   - value: The response's JSON; `null` if it is not JSON.
  ///   - response: The response.
  ///   - items: Its elements, if it is a list.
  /// - Throws: `FilterError` if the filter does not accept it; ``ExitStatus`` if it cannot be written.
  package func write(_ value: JSONValue, _ response: RawResponse, items: [JSONValue]?) throws {
    // A response without content has nothing to show.
    if value.isNull, ContentKind.isEmpty(response.body) { return terminal.report("\(response.status.code): done") }
    if value.isNull, !Self.isNull(response.body) {
      guard terminal.isInteractive else { return try terminal.write(response.body) }
      return try terminal.write(terminal.shown(String(decoding: response.body, as: UTF8.self)))
    }
    try write(value, items: items)
  }

  /// Whether a body is JSON `null`, possibly after a byte order mark. For most bodies, only a few bytes are examined.
  private static func isNull(_ body: Data) -> Bool {
    let whiteSpace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let text = body.withoutByteOrderMark
    guard text.first(where: { !whiteSpace.contains($0) }) == UInt8(ascii: "n") else { return false }
    return (try? JSONValue(jsonData: text)) == JSONValue.null
  }

  /// Writes one response.
  ///
  /// - Parameters:
  ///   - value: The response. Null has no elements.
  ///   - items: Its elements, if it is a list. Tables, CSV and chosen fields apply to these.
  /// - Throws: `FilterError` if the filter does not accept it; ``ExitStatus`` if it cannot be written.
  package func write(_ value: JSONValue, items: [JSONValue]?) throws {
    if let filter {
      let plain = ResultWriter(format, fields: fields, terminal: terminal, writesRawText: writesRawText)
      return try plain.write(try filter.search(value), items: nil)
    }
    let rows = items ?? Self.list(in: value) ?? (value.isNull ? [] : [Self.subject(of: value)])
    switch format {
    case .json:
      if fields.isEmpty { return try write(json: value) }
      let chosen = rows.map { selection(of: $0) }
      try write(json: items != nil || Self.list(in: value) != nil ? .array(chosen) : chosen.first ?? .null)
    case .yaml:
      let shown = fields.isEmpty ? value : .array(rows.map { selection(of: $0) })
      try terminal.write(YAMLOutput.text(of: shown) + "\n")
    case .lines, .table, .csv:
      var layout: ColumnLayout?
      try write(rows: rows, layout: &layout)
      if rows.isEmpty, format != .lines { terminal.report("no rows") }
    }
  }

  /// Writes the elements of one page after the other.
  ///
  /// - Parameter layout: The columns of a table or CSV, which the first elements determine for all pages.
  package func write(rows: [JSONValue], layout: inout ColumnLayout?) throws {
    // Elements without a filter result are left out, so that the filter can choose elements as well as parts of them.
    let rows = try filter.map { filter in try rows.map { try filter.search($0) }.filter { !$0.isNull } } ?? rows
    switch format {
    case .json, .lines:
      for row in rows { try write(line: fields.isEmpty ? row : selection(of: row)) }
    case .yaml:
      for row in rows {
        try terminal.write(YAMLOutput.text(of: .array([fields.isEmpty ? row : selection(of: row)])) + "\n")
      }
    case .csv, .table:
      // An empty page does not determine the columns.
      if rows.isEmpty, fields.isEmpty { return }
      let isFirst = layout == nil
      if format == .csv {
        let shown = Columns(rows, fields, like: layout)
        layout = ColumnLayout(names: shown.names)
        try terminal.write(terminal.shown(shown.csv(withNames: isFirst)))
        return report(leftOut: shown.leftOut)
      }
      let shown = Columns(rows, fields, like: layout)
      try terminal.write(shown.table(&layout, hasColors: terminal.hasColors, width: terminal.resultWidth))
      report(leftOut: (isFirst ? layout?.hidden ?? [] : []) + shown.leftOut)
    }
  }

  /// Says which members have no column.
  private func report(leftOut names: [String]) {
    guard !names.isEmpty else { return }
    let list = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    terminal.report("note: left out \(names.count) column\(names.count == 1 ? "" : "s"): \(list); choose with --fields")
  }

  private func write(json value: JSONValue) throws {
    if writesRawText { return try writeRaw(value) }
    if terminal.hasColors { return try terminal.write(IndentedJSON(hasColors: true).text(of: value) + "\n") }
    if terminal.isInteractive { return try terminal.write(IndentedJSON(hasColors: false).text(of: value) + "\n") }
    try write(line: value)
  }

  /// Writes a string unquoted, the strings of a list one per line, and anything else as JSON.
  private func writeRaw(_ value: JSONValue) throws {
    for element in value.array ?? [value] {
      try terminal.write(terminal.shown(element.string ?? element.description) + "\n")
    }
  }

  private func write(line value: JSONValue) throws {
    if writesRawText { return try writeRaw(value) }
    try terminal.write((terminal.isInteractive ? value.shownText : value.description) + "\n")
  }

  /// The chosen members of an element, by path. A value that is not an object has none and is unchanged.
  private func selection(of value: JSONValue) -> JSONValue {
    guard value.object != nil || fields.contains(where: { value.at($0) != nil }) else { return value }
    var members: [String: JSONValue] = [:]
    for field in fields { members[field] = value.at(field) ?? .null }
    return .object(members)
  }

  /// The list that a response is, or that its `data` contains.
  static func list(in value: JSONValue) -> [JSONValue]? { value.array ?? value["data"]?.array }

  /// The main content of a response: its `data`, if it has one.
  static func subject(of value: JSONValue) -> JSONValue {
    if let data = value["data"], data.object != nil { return data }
    return value
  }
}

extension JSONValue {
  /// Compact JSON, with all characters escaped that YAML allows only as escapes: terminals also execute some of them.
  fileprivate var shownText: String {
    var text = ""
    for scalar in description.printableJSON.unicodeScalars {
      if scalar.isPrintableInYAML {
        text.unicodeScalars.append(scalar)
      } else {
        // YAML forbids no characters beyond U+FFFF.
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      }
    }
    return text
  }

  /// The value at a dotted path. Numbers are positions in lists.
  package func at(_ path: String) -> JSONValue? {
    path.pathNames.reduce(self) { value, name in
      if let list = value?.array { return Int(name).flatMap { list.indices.contains($0) ? list[$0] : nil } }
      return value?[name]
    }
  }
}

/// JSON for people: indented, sorted by name, and coloured.
struct IndentedJSON {
  let hasColors: Bool

  func text(of value: JSONValue, indent: String = "") -> String {
    let inner = indent + "  "
    switch value {
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.sorted { $0.key < $1.key }.map { name, value in
        inner + paint(JSONValue.string(name).shownText, 34) + ": " + text(of: value, indent: inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    case .array(let elements):
      if elements.isEmpty { return "[]" }
      return "[\n" + elements.map { inner + text(of: $0, indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .string: return paint(value.shownText, 32)
    case .null: return paint("null", 90)
    case .bool, .integer, .number, .literal: return paint(value.description, 33)
    }
  }

  private func paint(_ text: String, _ color: Int) -> String {
    hasColors ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
  }
}

/// YAML for people. Every string that YAML could misread is in quotes.
enum YAMLOutput {
  static func text(of value: JSONValue, indent: String = "") -> String {
    switch value {
    case .object(let members) where !members.isEmpty:
      return members.sorted { $0.key < $1.key }.map { name, value in
        indent + key(name, indent: indent) + ":" + after(value, indent: indent)
      }.joined(separator: "\n")
    case .array(let elements) where !elements.isEmpty:
      return elements.map { element in
        // Compares code points: a space with a combining mark is one character.
        let scalars = text(of: element, indent: indent + "  ").unicodeScalars.dropFirst(indent.count + 2)
        return indent + "- " + String(String.UnicodeScalarView(scalars))
      }.joined(separator: "\n")
    case .string(let text): return indent + plain(text)
    default: return indent + value.description
    }
  }

  /// A name with its prefix before the colon: YAML reads at most 1,024 characters as a key without `?` before them (YAML 1.2
  /// §7.4.2).
  private static func key(_ name: String, indent: String) -> String {
    let text = plain(name)
    return text.utf8.count > 1000 ? "? \(text)\n\(indent)" : text
  }

  private static func after(_ value: JSONValue, indent: String) -> String {
    switch value {
    case .object(let members) where !members.isEmpty: "\n" + text(of: value, indent: indent + "  ")
    case .array(let elements) where !elements.isEmpty: "\n" + text(of: value, indent: indent + "  ")
    default: " " + text(of: value)
    }
  }

  /// A string without quotes if no parser reads it as a number, a flag, null or syntax; otherwise in JSON's quotes.
  private static func plain(_ text: String) -> String {
    let isSafe =
      text.unicodeScalars.first.map { $0.properties.isAlphabetic } == true
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || " _-./".unicodeScalars.contains($0)
      }
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"].contains(text.lowercased())
      && text.last != " "
    return isSafe ? text : JSONValue.string(text).shownText
  }
}
