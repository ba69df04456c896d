import AsyncHTTPClientTransport
import CallsignX
import Foundation
import NIOPosix

// Posts a text, optionally with a photo or video that is streamed from the disk.
//
//   swift run PostPhoto "the text" [FILE]

/// A value from the environment, or from a file that it names.
func setting(_ name: String) throws -> String {
  let environment = ProcessInfo.processInfo.environment
  if let value = environment[name], !value.isEmpty { return value }
  guard let path = environment["\(name)_FILE"] else {
    throw InvalidUse(description: "set \(name), or \(name)_FILE to a file that has it")
  }
  return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
}

struct InvalidUse: Error, CustomStringConvertible { let description: String }

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  guard let text = arguments.first, arguments.count <= 2 else {
    throw InvalidUse(description: "usage: PostPhoto TEXT [FILE]")
  }
  let credentials = OAuth1(
    consumerKey: try setting("X_CONSUMER_KEY"), consumerSecret: Secret(try setting("X_CONSUMER_SECRET")),
    token: try setting("X_ACCESS_TOKEN"), tokenSecret: Secret(try setting("X_ACCESS_TOKEN_SECRET")))
  // Your server's own group goes here, so that its requests and Callsign's share event loops.
  let transport = AsyncHTTPClientTransport(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
  var configuration = ClientConfiguration(transport: transport)
  // To try it with a sandbox.
  if let url = ProcessInfo.processInfo.environment["X_BASE_URL"] { configuration.hosts = .all(to: url) }
  let x = XAPI(auth: .oauth1(credentials), configuration: configuration)

  var options = CallOptions()
  options.checksText = true
  if arguments.count == 2 {
    let media = try await x.upload(file: URL(fileURLWithPath: arguments[1])) { progress in
      print("\(progress.sentBytes) of \(progress.totalBytes) bytes")
    }
    let post = try await x.createPosts(text: text, media: .init(mediaIDs: [media.id]), options: options)
    print("https://x.com/i/status/\(post.data.id)")
  } else {
    print("https://x.com/i/status/\(try await x.createPosts(text: text, options: options).data.id)")
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
