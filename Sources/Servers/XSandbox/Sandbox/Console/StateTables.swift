import CallsignMockServer
import Foundation

/// Tables of everything that a sandbox stores by ID. It finds the database's collections of records without a list of them.
struct StateTables {
  private let database: Database
  /// The maximum number of rows in a table.
  private static let rowLimit = 100

  init(_ database: Database) { self.database = database }

  /// The names of the tables with rows, in the database's order.
  var sizes: [ConsoleStatus.Size] {
    Mirror(reflecting: database).children.compactMap { child in
      guard let name = child.label, let rows = Self.rows(child.value), rows.count > 0 else { return nil }
      return ConsoleStatus.Size(name: name, count: rows.count)
    }
  }

  /// The newest rows, that is, those with the greatest IDs.
  func table(_ name: String) -> ConsoleTable? {
    guard let value = Mirror(reflecting: database).children.first(where: { $0.label == name })?.value,
      let records = Self.rows(value)
    else { return nil }
    var columns: [String] = []
    let rows = records.newest(Self.rowLimit).map { record in
      let fields = Mirror(reflecting: record).children.compactMap { child in
        child.label.map { (name: $0, value: Self.text($0, child.value)) }
      }
      if columns.isEmpty { columns = fields.map(\.name) }
      return fields.map(\.value)
    }
    return ConsoleTable(columns: columns, rows: rows)
  }

  /// A collection of records; `nil` for anything else, such as the relations between them.
  private static func rows(_ value: Any) -> (any RecordCollection)? {
    value is [Identifier: Relation] ? nil : value as? any RecordCollection
  }

  private static func text(_ name: String, _ value: Any) -> String {
    let word = name.lowercased()
    if ["secret", "token", "password", "signature"].contains(where: word.contains) { return Redaction.placeholder }
    switch value {
    case let date as Date: return Timestamp.text(date)
    case let bytes as Data: return "\(bytes.count) bytes"
    case let text as String: return text.count > 300 ? text.prefix(300) + "…" : text
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { self.text(name, $0.value) } ?? ""
    case .collection, .set:
      let elements = mirror.children.prefix(20).map { self.text(name, $0.value) }
      return elements.joined(separator: ", ") + (mirror.children.count > 20 ? ", …" : "")
    case .struct where !mirror.children.isEmpty, .class:
      // A nested record, with its own secrets.
      return mirror.children.prefix(20).compactMap { child in
        child.label.map { "\($0): \(self.text($0, child.value))" }
      }.joined(separator: ", ")
    default:
      let shown = String(describing: value)
      return shown.count > 300 ? shown.prefix(300) + "…" : shown
    }
  }
}

/// Records by their ids.
private protocol RecordCollection {
  var count: Int { get }

  /// The records with the greatest IDs, greatest first.
  func newest(_ limit: Int) -> [Any]
}

extension Dictionary: RecordCollection where Key == Identifier {
  fileprivate func newest(_ limit: Int) -> [Any] { keys.sorted(by: >).prefix(limit).compactMap { self[$0] } }
}
