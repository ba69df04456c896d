import CallsignHTTP
import CallsignSupport
import Foundation

/// The commands to a running sandbox, for programs in other languages and for shells.
///
/// They need a header field that a page from another site cannot send without permission, and a loopback host, so that nobody can
/// trick a browser into sending them.
struct ControlEndpoint: Sendable {
  /// The header field. Its value does not matter.
  static let field = "x-sandbox-control"
  private static let hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

  private let command: Command

  private enum Command {
    case reset
    case state
    case advance(TimeInterval)
  }

  /// Returns the command for a request, or `nil` if its path is not one.
  static func find(_ request: IncomingRequest) throws(Problem) -> ControlEndpoint? {
    let methods = ["/sandbox/reset": "POST", "/sandbox/state": "GET", "/sandbox/clock": "POST"]
    guard let method = methods[request.path] else { return nil }
    guard request.method == method else { throw .methodNotAllowed(allowed: [method]) }
    let host = (request.header("Host") ?? "").lowercased()
    let name = host.hasSuffix("]") ? host : String(host.prefix(upTo: host.lastIndex(of: ":") ?? host.endIndex))
    guard request.header(field) != nil, hosts.contains(name) else {
      throw .forbidden("Commands to the sandbox need the header field \(field), and a host on loopback.")
    }
    switch request.path {
    case "/sandbox/reset": return ControlEndpoint(command: .reset)
    case "/sandbox/state": return ControlEndpoint(command: .state)
    default:
      let text = RequestForm(request, includingQuery: true)["advance"] ?? ""
      guard let seconds = TimeInterval(text), seconds.isFinite, abs(seconds) <= 3_153_600_000 else {
        throw .invalidRequest([
          InvalidParameter(name: "advance", values: [text], message: "`advance` must be a number of seconds")
        ])
      }
      return ControlEndpoint(command: .advance(seconds))
    }
  }

  func respond(_ sandbox: Sandbox) async -> Response {
    switch command {
    case .reset:
      await sandbox.reset()
      return Response(status: 204)
    case .advance(let seconds):
      sandbox.advanceTime(by: seconds)
      return Response(json: ["now": .string(Timestamp.text(sandbox.pipeline.clock.now()))])
    case .state:
      var response = Response(status: 200)
      response.body = .bytes(Data(await sandbox.saved().utf8))
      response.set("Content-Type", "application/yaml")
      return response
    }
  }
}

/// The sandbox of a pipeline. The pipeline is created before it.
final class ControlTarget: Sendable {
  private struct Target {
    weak var sandbox: Sandbox?
  }

  private let target = Locked(Target())

  var sandbox: Sandbox? { target.withLock { $0.sandbox } }

  func attach(_ sandbox: Sandbox) { target.withLock { $0.sandbox = sandbox } }
}
