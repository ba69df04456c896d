import Callsign
import Foundation
import HTTPTypes

/// Makes calls over a transport without sockets, and prints each request, or the reason why there was none, as a line of JSON.
struct Recorder: Sendable {
  private let transport: InMemoryTransport

  init() {
    transport = InMemoryTransport { _ in .json("{}") }
  }

  var configuration: ClientConfiguration {
    ClientConfiguration(transport: transport, retry: .never)
  }

  func run(_ name: String, _ call: () async throws -> Void) async {
    let before = transport.requests.count
    var problem = ""
    do { try await call() } catch { problem = "\(error)" }
    var line: [String: JSONValue] = ["case": .string(name)]
    if before < transport.requests.count {
      let request = transport.requests[before]
      line["method"] = .string(request.head.method.rawValue)
      line["scheme"] = .string(request.head.scheme ?? "")
      line["authority"] = .string(request.head.authority ?? "")
      line["path"] = .string(request.head.path ?? "")
      line["headers"] = .array(request.head.headerFields.map { .array([.string($0.name.rawName), .string($0.value)]) })
      do { line["body"] = .string(try await request.body.collect().base64EncodedString()) } catch {
        problem = "\(error)"
      }
    }
    if before == transport.requests.count || line["body"] == nil { line["problem"] = .string(problem) }
    print((try? JSONValue.object(line).jsonString()) ?? "{}")
  }
}

/// Accepts everything, so that the test judges the requests and not their credentials.
struct NoCredentials: Authenticator {
  var hosts: AllowedHosts { .catalogue }
  var identity: CredentialIdentity { CredentialIdentity("none", account: "") }
  func satisfies(_ requirement: AuthRequirement) -> Bool { true }
  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {}
}

/// Reads an argument from its JSON, as a response would be read.
func value<Value: JSONDecodable>(_: Value.Type, _ json: String) throws -> Value { try Value(jsonString: json) }

func bytes(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

@main enum Program {
  static func main() async {
    let recorder = Recorder()
    await JudgedAPI(auth: NoCredentials(), configuration: recorder.configuration).callAll(recorder)
  }
}
