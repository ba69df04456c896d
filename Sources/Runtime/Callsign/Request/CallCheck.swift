import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Looks at a call before it is signed and sent, and may refuse it: for rules of an API that its catalogue cannot state.
///
/// Put one into ``CallOptions/checks``. A module of an API offers its checks as properties of ``CallOptions``.
public protocol CallCheck: Sendable {
  /// Checks a call.
  ///
  /// - Throws: ``InvalidCall`` to refuse it; nothing is sent then.
  func check(_ call: CheckedCall) throws(InvalidCall)
}

/// A call that is checked: its name and the request that it would send.
public struct CheckedCall: Sendable {
  /// The endpoint's name in the catalogue, or the method and path of an untyped call.
  public let name: String
  /// The body; `nil` if there is none, or if it is read while it is sent.
  public let body: Data?

  init(name: String, body: RequestBody) {
    self.name = name
    self.body = if case .data(let data) = body { data } else { nil }
  }

  /// The body as JSON; `nil` if it is something else.
  public var json: JSONValue? { body.flatMap { try? JSONValue(jsonData: $0) } }

  /// A parameter of a form body; `nil` if it is not sent.
  ///
  /// - Parameter name: The parameter's name on the wire.
  public func formValue(_ name: String) -> String? {
    for pair in (body ?? Data()).split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, PercentEncoding.decode(parts[0], isForm: true) == name else { continue }
      return PercentEncoding.decode(parts[1], isForm: true)
    }
    return nil
  }
}
