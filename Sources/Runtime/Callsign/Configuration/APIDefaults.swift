import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// What an API's catalogue states for all of its calls: constant header fields and query parameters, and how a response
/// of status 200 shows that the call failed.
public struct APIDefaults: Sendable {
  /// Header fields by name. ``ClientConfiguration/headers`` and a call's own settings take precedence.
  public let headers: [String: String]
  /// Query parameters by name. ``ClientConfiguration/query`` and a call's own settings take precedence.
  public let query: [String: String]
  /// The signs of a failure behind a successful status; any one of them is enough.
  public let failures: [FailureSign]

  /// States the facts.
  ///
  /// - Parameters:
  ///   - headers: Header fields of every call. Default: none.
  ///   - query: Query parameters of every call. Default: none.
  ///   - failures: The signs of a failure behind a successful status. Default: none.
  public init(headers: [String: String] = [:], query: [String: String] = [:], failures: [FailureSign] = []) {
    self.headers = headers
    self.query = query
    self.failures = failures
  }

  /// An API without such facts.
  public static let none = APIDefaults()

  /// Whether a response with a successful status shows that the call failed.
  package func isFailure(_ body: Data) -> Bool { failures.contains { $0.isShown(in: body) } }
}

/// A member of a response whose value means that the call failed, such as `ok: false` or `stat: fail`.
public struct FailureSign: Sendable, Hashable {
  private let path: [String]
  private let values: Set<String>
  private let isNegated: Bool

  /// A member with one of these values.
  ///
  /// - Parameters:
  ///   - path: The member, as a dotted path.
  ///   - values: The values as text: `false`, `fail`, `1`, `null`.
  public init(_ path: String, is values: String...) { self.init(path, Set(values), isNegated: false) }

  /// A member that exists with another value; null counts as missing.
  ///
  /// - Parameters:
  ///   - path: The member, as a dotted path.
  ///   - values: The values of success as text, such as `0`.
  public init(_ path: String, isNot values: String...) { self.init(path, Set(values), isNegated: true) }

  /// A member, of a catalogue that is read at run time.
  package init(_ path: String, values: [String], isNegated: Bool) { self.init(path, Set(values), isNegated: isNegated) }

  private init(_ path: String, _ values: Set<String>, isNegated: Bool) {
    self.path = path.pathNames
    self.values = values
    self.isNegated = isNegated
  }

  /// Whether the body is an object that has the sign. A body that is not JSON does not have it.
  package func isShown(in body: Data) -> Bool {
    do throws(JSONError) { return try isFound(in: body) } catch {
      // This reads everything that the tolerant decoding reads.
      guard let text = RepairedJSON(body) else { return false }
      return (try? isFound(in: text.data)) ?? false
    }
  }

  private func isFound(in body: Data) throws(JSONError) -> Bool {
    var found: String?
    do throws(JSONError) {
      try JSONReader.read(body) { (reader) throws(JSONError) in
        try reader.beginDocument()
        try find(path[...], &reader, &found)
      }
    } catch {
      // A value before the mistake counts.
      if found == nil { throw error }
    }
    return found.map { values.contains($0) != isNegated } ?? false
  }

  private func find(_ path: ArraySlice<String>, _ reader: inout JSONReader, _ found: inout String?) throws(JSONError) {
    guard let name = path.first else {
      switch try reader.kind() {
      case .string: found = try reader.string()
      case .number, .bool: found = try reader.value(JSONValue.self).description
      case .null:
        try reader.skip()
        // Like a missing member, null does not count as another value.
        found = isNegated ? nil : "null"
      case .object, .array: try reader.skip()
      }
      return
    }
    guard try reader.kind() == .object else { return try reader.skip() }
    try reader.object { (member, reader) throws(JSONError) in
      if member == name { try find(path.dropFirst(), &reader, &found) }
    }
  }
}
