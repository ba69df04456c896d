import CallsignJSON
import Foundation

/// Finds the id in a record.
struct RecordIDPath: Sendable {
  private let names: [String]

  /// - Parameter path: Members separated by dots, such as `data.id`.
  init(_ path: String) { names = path.split(separator: ".").map(String.init) }

  /// The text or whole number at the path; `nil` when there is none.
  func id(in record: Data) -> String? {
    record.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      var found: String?
      do throws(JSONError) {
        try reader.beginDocument()
        try find(names[...], &reader, &found)
      } catch { return found }
      return found
    }
  }

  private func find(
    _ names: ArraySlice<String>, _ reader: inout JSONReader, _ found: inout String?
  ) throws(JSONError) {
    let kind = try reader.kind()
    guard let name = names.first else {
      switch kind {
      case .string: found = try reader.string()
      case .number: found = String(try reader.int())
      default: try reader.skip()
      }
      return
    }
    guard kind == .object else { return try reader.skip() }
    try reader.object { (member, reader) throws(JSONError) in
      if member == name { try find(names.dropFirst(), &reader, &found) }
    }
  }
}
