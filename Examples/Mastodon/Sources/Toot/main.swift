import Callsign
import CallsignAuth
import CallsignLoopback
import Foundation
import MastodonKit

// Shows the home timeline, or publishes a status. MASTODON_SERVER is the server's host. Register an app with it once, with `Toot
// register`, which prints MASTODON_CLIENT_ID and MASTODON_CLIENT_SECRET.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
  exit(1)
}

let environment = ProcessInfo.processInfo.environment
guard let server = environment["MASTODON_SERVER"], !server.isEmpty else {
  fail("set MASTODON_SERVER, such as mastodon.social")
}
let redirect = "http://127.0.0.1:\(LoopbackRedirect.defaultPort)/callback"
let words = Array(CommandLine.arguments.dropFirst())
do {
  if words == ["register"] {
    let app = try await Mastodon(auth: .none, instance: server)
      .createApp(clientName: "Toot", redirectURIs: redirect, scopes: "read write")
    print("export MASTODON_CLIENT_ID=\(app.clientID) MASTODON_CLIENT_SECRET=\(app.clientSecret)")
    exit(0)
  }
  guard let id = environment["MASTODON_CLIENT_ID"], let secret = environment["MASTODON_CLIENT_SECRET"] else {
    fail("set MASTODON_CLIENT_ID and MASTODON_CLIENT_SECRET to what `Toot register` prints")
  }
  let account = OAuth2(clientID: id, clientSecret: Secret(secret), store: .file(), provider: .mastodon(server))
  if try await !account.isAuthorized {
    try await account.logInOnCommandLine(scopes: ["read", "write"]) {
      print("Open this page to log in:\n\($0.absoluteString)")
    }
  }
  let mastodon = Mastodon(auth: .oauth2(account), instance: server)
  if let text = words.first {
    let files = stride(from: 1, to: words.count - 1, by: 2).map { (URL(fileURLWithPath: words[$0]), words[$0 + 1]) }
    let status = try await mastodon.publish(text, files: files)
    print(status.url?.absoluteString ?? status.id)
  } else {
    for try await status in mastodon.getHomeTimelinePages(limit: 40).limit(1).items {
      let text = status.content.replacing(/<[^>]*>/, with: "")
      print("\(status.account.acct): \(status.spoilerText.isEmpty ? text : status.spoilerText)\n")
    }
  }
} catch {
  fail("\(error)")
}
