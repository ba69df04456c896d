import Foundation

/// Serves endless posts, silent streams, and a small answer, by a thread for each connection.
enum StreamServer {
  private static let count = 500
  /// All records have this size.
  static let recordSize = 1_100
  static let answerSize = 2_700

  /// Prints the port, and serves until its standard input ends.
  static func serveForever() throws {
    var limit = rlimit()
    #if canImport(Darwin)
      let files = RLIMIT_NOFILE
    #else
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    if getrlimit(files, &limit) == 0 {
      limit.rlim_cur = limit.rlim_max
      setrlimit(files, &limit)
    }
    let server = try LoopbackListener { connection in
      while let path = LoopbackListener.request(connection) {
        if path.hasPrefix("/2/tweets") { return sendPosts(connection) }
        if path == "/silent" { return staySilent(connection) }
        let answer = Array(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(answerSize)\r\n\r\n".utf8)
        guard LoopbackListener.write(connection, answer + [UInt8](repeating: 0x20, count: answerSize)) else { return }
      }
    }
    print(server.port)
    fflush(nil)
    while readLine() != nil {}
  }

  private static let head = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n".utf8)

  /// A byte each minute at most is what streams have at night.
  private static func staySilent(_ connection: Int32) {
    guard LoopbackListener.write(connection, head + Array("\r\n".utf8)) else { return }
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  /// The same texts with other ids, so that no record comes twice.
  private static func sendPosts(_ connection: Int32) {
    guard LoopbackListener.write(connection, head) else { return }
    var block: [UInt8] = []
    var places: [Int] = []
    for number in 0..<count {
      let before = Array(#"{"data":{"id":""#.utf8)
      let link =
        #"{"start":0,"end":23,"url":"https://t.co/abcdefghij","expanded_url":"https://example.com/a/longer/path"}"#
      let metrics = #"{"retweet_count":\#(number),"reply_count":2,"like_count":\#(number * 7),"quote_count":0}"#
      let after = Array(
        (#"","author_id":"2244994945","conversation_id":"1346889436626259968","created_at":"2026-11-22T10:00:00.000Z","#
          + #""lang":"en","edit_history_tweet_ids":["1346889436626259968"],"entities":{"urls":[\#(link),\#(link)]},"#
          + #""public_metrics":\#(metrics),"reply_settings":"everyone","possibly_sensitive":false,"text":""#).utf8)
      let end = Array(#""},"matching_rules":[{"id":"1346889436626259968","tag":"release"}]}"#.utf8) + [0x0D, 0x0A]
      places.append(block.count + before.count)
      let text = Array("A sentence of a post, größer 🚀 than most. ".utf8)
      let room = recordSize - before.count - 19 - after.count - end.count
      var words: [UInt8] = []
      while words.count + text.count <= room { words += text }
      words += [UInt8](repeating: UInt8(ascii: "."), count: room - words.count)
      block += before + [UInt8](repeating: UInt8(ascii: "0"), count: 19) + after + words + end
    }
    var id = 1_346_889_436_626_259_968
    while true {
      for place in places {
        id += 1
        var rest = id
        for offset in stride(from: 18, through: 0, by: -1) {
          block[place + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      guard LoopbackListener.write(connection, block) else { return }
    }
  }
}

/// Accepts connections on this machine, a thread for each.
private final class LoopbackListener {
  let port: UInt16

  /// - Parameter serve: Serves one connection, which is closed afterwards.
  init(_ serve: @escaping @Sendable (Int32) -> Void) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 1024) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard descriptor >= 0, isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        let thread = Thread {
          var enabled: Int32 = 1
          setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &enabled, socklen_t(MemoryLayout<Int32>.size))
          serve(connection)
          close(connection)
        }
        thread.stackSize = 256 * 1024
        thread.start()
      }
    }
  }

  /// Reads a request without a body.
  ///
  /// - Returns: Its path; `nil` once the client has gone.
  static func request(_ connection: Int32) -> String? {
    var head: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = recv(connection, &room, room.count, 0)
      guard count > 0 else { return nil }
      head += room[..<count]
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: " ", maxSplits: 2)
    return words.count > 1 ? String(words[1]) : nil
  }

  /// - Returns: Whether the client took all of it.
  static func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let written = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard written > 0 else { return false }
      sent += written
    }
    return true
  }
}
