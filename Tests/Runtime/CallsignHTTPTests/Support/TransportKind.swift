import Callsign
import CallsignAuth
import CallsignHTTP
import Testing

/// The transports that the suites run over.
enum TransportKind: String, CaseIterable, CustomTestStringConvertible, Sendable {
  #if os(Linux)
    case curl
  #endif
  #if canImport(Darwin) || URLSession
    case urlSession
  #endif

  /// Those that slow the sender when the reader is slow, and read a streamed body only as fast as it is sent.
  static let withBackPressure: [TransportKind] = Array(allCases.prefix(1))

  /// Those that show a response and report a failure exactly as it came; `URLSession` does not.
  static let exact: [TransportKind] = allCases.filter(\.isExact)

  var isExact: Bool {
    switch self {
    #if os(Linux)
      case .curl: true
    #endif
    #if canImport(Darwin) || URLSession
      case .urlSession: false
    #endif
    }
  }

  var testDescription: String { rawValue }

  func make() -> any Transport {
    switch self {
    #if os(Linux)
      case .curl: CurlTransport()
    #endif
    #if canImport(Darwin) || URLSession
      case .urlSession: URLSessionTransport()
    #endif
    }
  }
}
