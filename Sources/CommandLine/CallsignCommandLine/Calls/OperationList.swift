import CallsignCatalogue
import CallsignJSON
import CallsignSupport
import Foundation

/// A list of operations for people to search.
package struct OperationList: Sendable {
  /// A line of the list.
  package struct Line: Sendable {
    package let name: String
    package let method: String
    package let path: String
    package let summary: String

    package init(name: String, method: String, path: String, summary: String) {
      // The catalogue's texts may be untrusted.
      self.name = Self.line(name)
      self.method = Self.line(method)
      self.path = Self.line(path)
      self.summary = Self.line(summary)
    }

    private static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }).printable }

    init(_ endpoint: CallsignCatalogue.Endpoint) {
      self.init(name: endpoint.name, method: endpoint.method, path: endpoint.path, summary: endpoint.summary ?? "")
    }
  }

  let lines: [Line]

  package init(_ lines: [Line]) { self.lines = lines }

  /// The operations of a catalogue, in its order.
  package init(_ catalogue: Catalogue) {
    lines = catalogue.groups.flatMap(\.endpoints).map { Line($0) }
  }

  /// The lines that contain every word, in any column.
  package func matching(_ words: [String]) -> [Line] {
    lines.filter { line in
      let text = "\(line.name) \(line.method) \(line.path) \(line.summary)".lowercased()
      return words.allSatisfy { text.contains($0.lowercased()) }
    }
  }

  /// The lines that contain some of the words of a request, best matches first.
  package func nearest(to request: String) -> [Line] { OperationSearch(lines).matches(request) }

  /// `; the nearest are a, b`: the end of a message about a name or words that match no operation; empty if none is close.
  package func clause(for request: String) -> String {
    let names = nearest(to: request).prefix(3).map(\.name)
    guard let first = names.first else { return "" }
    return names.count == 1 ? "; the nearest is \(first)" : "; the nearest are \(names.joined(separator: ", "))"
  }

  /// Writes lines in a format that programs read.
  package static func write(_ lines: [Line], as format: OutputFormat, to terminal: Terminal) throws {
    let rows = lines.map { line -> JSONValue in
      [
        "name": .string(line.name), "method": .string(line.method), "path": .string(line.path),
        "summary": .string(line.summary),
      ]
    }
    let writer = ResultWriter(format, fields: ["name", "method", "path", "summary"], terminal: terminal)
    try writer.write(.array(rows), items: rows)
  }

  /// Lines as a table.
  ///
  /// - Parameter width: The width of the terminal. If a line does not fit, each summary is below its operation.
  package static func table(_ lines: [Line], width: Int? = nil) -> String {
    let nameWidth = lines.map(\.name.count).max() ?? 0
    let pathWidth = min(lines.map { $0.path.count + $0.method.count + 1 }.max() ?? 0, 52)
    let widest = lines.map { nameWidth + max(pathWidth, $0.method.count + $0.path.count + 1) + $0.summary.count + 4 }
      .max()
    if let width, let widest, widest > width {
      return lines.map { line in
        "\(line.name)  \(line.method) \(line.path)\n" + line.summary.wrapped(to: width, indent: 4)
      }.joined()
    }
    return lines.map { line in
      let call = "\(line.method) \(line.path)"
      let name = line.name + String(repeating: " ", count: nameWidth - line.name.count)
      return "\(name)  \(call)\(String(repeating: " ", count: max(0, pathWidth - call.count)))  \(line.summary)\n"
    }.joined()
  }
}
