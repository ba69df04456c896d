import Foundation

extension Sandbox {
  /// A request that arrived, with the status of its answer. Credentials are masked.
  public struct Request: Sendable {
    /// The HTTP method.
    public let method: String
    /// The path as it was sent, percent-encoded.
    public let path: String
    /// The decoded query parameters in the order in which they were sent.
    public let query: [Parameter]
    /// The headers; a name comes once.
    public let headers: [String: String]
    /// The body as it was sent, up to its first 256 KiB; of a form that carries credentials, these are masked.
    public let body: Data
    /// The status of the answer; 0 if the connection was cut before one.
    public let status: Int
    /// When it arrived, by the sandbox's clock.
    public let date: Date

    /// A name and a value.
    public struct Parameter: Sendable, Hashable {
      /// The decoded name.
      public let name: String
      /// The decoded value.
      public let value: String
    }

    /// The body as text; bytes that are no UTF-8 show as replacement characters.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header, whatever the case of its name.
    public func header(_ name: String) -> String? {
      headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
  }
}
