import Foundation
import Workload

/// Responds to requests on this machine, with one thread per connection. It does as little as possible, so that the measurements
/// show the clients. Requests must have no body.
///
/// `/2/tweets/search/stream` returns endless posts, `/silent` a stream that stays silent, and everything else the account of the
/// measured call.
enum LoopbackServer {
  private static let response =
    Array(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(Responses.headText)Content-Length: \(Responses.user.count)\r\n\r\n"
        .utf8) + Responses.user
  private static let streamHead = Array(
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n".utf8)

  /// Prints the port, and serves until standard input ends.
  static func serveForever() throws {
    allowManyFiles()
    let listener = try LoopbackListener(serve)
    print(listener.port)
    fflush(nil)
    while readLine() != nil {}
  }

  private static func allowManyFiles() {
    var limit = rlimit()
    #if canImport(Darwin)
      let files = RLIMIT_NOFILE
    #else
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(files, &limit)
  }

  private static func serve(_ connection: Int32) {
    let headEnd = Array("\r\n\r\n".utf8)
    let response = response
    var matched = 0
    var isBetweenRequests = true
    var room = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(connection, &room, room.count, 0)
      guard count > 0 else { return }
      if isBetweenRequests {
        if room.starts(with: "GET /silent ".utf8) { return staySilent(connection) }
        if room.starts(with: "GET /2/tweets/".utf8) { return sendPosts(connection) }
      }
      isBetweenRequests = false
      for byte in room[..<count] {
        matched = byte == headEnd[matched] ? matched + 1 : byte == headEnd[0] ? 1 : 0
        guard matched == headEnd.count else { continue }
        (matched, isBetweenRequests) = (0, true)
        guard LoopbackListener.write(connection, response) else { return }
      }
    }
  }

  private static func sendPosts(_ connection: Int32) {
    if LoopbackListener.write(connection, streamHead) { PostStream.send(connection) }
  }

  /// At most one byte per minute, like streams at night.
  private static func staySilent(_ connection: Int32) {
    guard LoopbackListener.write(connection, streamHead + Array("\r\n".utf8)) else { return }
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }
}
