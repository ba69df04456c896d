import CallsignHTTP
import CallsignJSON

/// The columns of a table or of CSV. The first page determines them for the following pages.
package struct ColumnLayout: Sendable {
  let names: [String]
  /// The widths of a table's columns so far.
  var widths: [Int] = []
  /// The columns that do not fit the terminal.
  var hidden: [String] = []
}

/// Elements as rows with columns.
struct Columns {
  let names: [String]
  /// The members without a column: objects and lists, if there are other members.
  private(set) var leftOut: [String] = []
  private let rows: [[String]]
  private let isChosen: Bool

  /// - Parameters:
  ///   - fields: The columns as dotted paths. If empty, all members that are strings, numbers or flags, with typical identifying
  ///     members first.
  ///   - layout: The layout of an earlier page, whose columns to use; `nil` for the first page.
  init(_ elements: [JSONValue], _ fields: [String], like layout: ColumnLayout? = nil) {
    var names = layout?.names ?? fields
    isChosen = !names.isEmpty
    if names.isEmpty {
      var found: Set<String> = []
      var others: Set<String> = []
      for element in elements {
        for (name, value) in element.object ?? [:] {
          if value.array == nil, value.object == nil { found.insert(name) } else { others.insert(name) }
        }
      }
      // Objects and lists are shown where there is nothing else, as in most streams' records.
      if found.isEmpty { found = others } else { leftOut = others.subtracting(found).sorted() }
      let first = ["id", "id_str", "username", "screen_name", "name", "title", "text", "status"]
      names = first.filter { found.contains($0) } + found.subtracting(first).sorted()
    }
    // Values without members are a separate column, whatever members were chosen.
    let hasMembers = elements.isEmpty || elements.contains { $0.object != nil }
    if names.isEmpty || (layout == nil && !hasMembers) { names = ["value"] }
    self.names = names
    rows = elements.map { element in
      names.map { name in
        // Among objects, a value without members is only in the first column.
        let own = name == names.first ? element : nil
        let member: JSONValue? = element.object == nil ? own : (element[name] ?? element.at(name))
        guard let value = member, !value.isNull else { return "" }
        return value.string ?? value.description
      }
    }
  }

  func csv(withNames: Bool) -> String {
    func quoted(_ text: String) -> String {
      // Compares code points: a comma with a combining mark is one character, but still a comma.
      let special: Set<Unicode.Scalar> = [",", "\"", "\n", "\r"]
      guard text.unicodeScalars.contains(where: { special.contains($0) }) else { return text }
      var result = ""
      for scalar in text.unicodeScalars {
        if scalar == "\"" { result.unicodeScalars.append(scalar) }
        result.unicodeScalars.append(scalar)
      }
      return "\"" + result + "\""
    }
    // RFC 4180 §2: lines end with CR LF.
    return ((withNames ? [names] : []) + rows).map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// The maximum width of a column.
  private static let widest = 60

  /// Columns as wide as their widest value, or narrower if the terminal is too small. If the user chose no members, the last
  /// columns are dropped before all become too narrow to read.
  ///
  /// - Parameters:
  ///   - layout: The layout of the previous pages, extended as this page requires.
  ///   - width: The width of the terminal; `nil` for a file or another program, which get every column.
  func table(_ layout: inout ColumnLayout?, hasColors: Bool, width: Int?) -> String {
    let shown = rows.map { $0.map(Self.line) }
    let header = names.map { Self.line($0.uppercased()) }
    var widths = names.indices.map { column in
      min(Self.widest, ([Self.width(header[column])] + shown.map { Self.width($0[column]) }).max() ?? 0)
    }
    let isFirst = layout == nil
    if let before = layout {
      for column in widths.indices where before.widths.indices.contains(column) {
        widths[column] = max(widths[column], before.widths[column])
      }
      widths = Array(widths.prefix(before.widths.count))
    }
    if let width { widths = fitted(widths, to: width, isFirst: isFirst) }
    layout = ColumnLayout(names: names, widths: widths, hidden: Array(names[widths.count...]))
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        let cut = Self.cut(cell, to: width)
        return cut + String(repeating: " ", count: max(0, width - Self.width(cut)))
      }
      var text = padded.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }
    var text = ""
    if isFirst {
      let names = line(zip(header, widths).map { Self.heading($0, in: $1) })
      text += hasColors ? "\u{1B}[1m" + names.dropLast() + "\u{1B}[0m\n" : names
    }
    return text + shown.map(line).joined()
  }

  private func fitted(_ natural: [Int], to width: Int, isFirst: Bool) -> [Int] {
    func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }
    // An ID on X has 19 characters and is useless in part.
    let least = isChosen || !isFirst ? 8 : 20
    var widths = natural
    if !isChosen, isFirst {
      while widths.count > 1, total(widths.map { min($0, least) }) > width { widths.removeLast() }
    }
    while total(widths) > width, let widest = widths.max(), widest > least, let column = widths.firstIndex(of: widest) {
      widths[column] -= 1
    }
    return widths
  }

  /// A column's heading in the given width: for a dotted path, its end.
  private static func heading(_ name: String, in width: Int) -> String {
    guard Self.width(name) > width, name.contains("."), width > 1 else { return name }
    return "…" + name.suffix(width - 1)
  }

  private static func cut(_ text: String, to width: Int) -> String {
    guard Self.width(text) > width else { return text }
    var (shown, taken) = ("", 0)
    for character in text {
      let next = Self.width(String(character))
      if taken + next > width - 1 { break }
      shown.append(character)
      taken += next
    }
    return shown + "…"
  }

  /// A value on one line. Control characters, with which a post's text could move the cursor, are removed.
  private static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }).printable }

  /// Terminal columns: two for East Asian wide characters and most emoji.
  private static func width(_ text: String) -> Int {
    text.reduce(0) { width, character in
      guard let scalar = character.unicodeScalars.first else { return width }
      let isWide =
        (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xA4CF).contains(scalar.value)
        || (0xAC00...0xD7A3).contains(scalar.value) || (0xF900...0xFAFF).contains(scalar.value)
        || (0xFE30...0xFE6F).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
        || (0x1F300...0x1FAFF).contains(scalar.value)
      return width + (isWide ? 2 : 1)
    }
  }
}
