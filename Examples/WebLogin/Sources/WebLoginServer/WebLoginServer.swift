import CallsignX
import Foundation
import WebLogin

/// The server as a program. It ends gracefully on SIGTERM.
@main struct WebLoginServer {
  static func main() async {
    do {
      let settings = try Settings(ProcessInfo.processInfo.environment)
      let server = WebLogin(settings) { event in
        // Put it into a queue here. The names of an event's members are not secret, but their contents belong to the users.
        print("an event: \(event.object?.map(\.key).sorted().joined(separator: ", ") ?? "")")
      }
      try await server.application().runService()
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }
}
