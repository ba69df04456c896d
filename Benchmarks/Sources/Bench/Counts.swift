import Callgrind
import Callsign
import CallsignAuth
import CallsignCatalogue
import CallsignDynamic
import Foundation
import HTTPTypes

/// Work of a fixed amount, for callgrind to count instructions and allocations of. `Scripts/count` starts one process for
/// each, and another one for the server.
enum Counts {
  /// Prints how many times the work was done that was counted.
  static func run(_ words: [String]) async throws {
    guard words.count == 3, let repetitions = Int(words[1]), let port = Int(words[2]) else { throw Unexpected() }
    let work = try work(words[0], port: port)
    // Once before it counts: what is set up once is measured by `first call`. Some of it is set up by the second time.
    if words[0] != "first-call", words[0] != "first-exchange" { try await work(3) }
    callgrind_begin()
    try await work(repetitions)
    callgrind_end()
    print(repetitions)
  }

  private struct Unexpected: Error {}
  /// Does something so many times.
  typealias Work = @Sendable (Int) async throws -> Void

  static func work(_ name: String, port: Int) throws -> Work {
    switch name {
    case "sign": return { for _ in 0..<$0 { _ = try SigningBench.sign() } }
    case "authorization": return { for _ in 0..<$0 { _ = try SigningBench.authorization() } }
    case "decode", "encode", "read-int", "read-string", "read-nested": return try values(name)
    case "call-bearer": return call(bearer, memory, nil)
    case "call-oauth1": return call(oauth1, memory, nil)
    case "call-fields": return call(bearer, memory, BenchAPI.standard)
    case "http-bearer", "first-call": return call(bearer, loopback(port), nil)
    case "http-oauth1": return call(oauth1, loopback(port), nil)
    case "http-fields": return call(bearer, loopback(port), BenchAPI.standard)
    case "http-bare", "first-exchange": return exchange(port, by: DefaultTransport.shared)
    case "dynamic": return try dynamic()
    case "stream": return stream()
    default: throw Unexpected()
    }
  }

  // MARK: Values

  private static func values(_ name: String) throws -> Work {
    let page = try Page.json(posts: 121, seed: 2_026)
    let model = try Generated.PostsPage(jsonData: page)
    guard let metrics = model.data.first?.publicMetrics, let post = model.data.first, metrics.likeCount != nil else {
      throw Unexpected()
    }
    let response = Response(
      value: try BenchAPI.UserResponse(jsonData: user), rawResponse: RawResponse(status: .ok, body: user))
    switch name {
    case "decode": return { for _ in 0..<$0 { _ = try Generated.PostsPage(jsonData: page) } }
    case "encode": return { for _ in 0..<$0 { _ = try model.jsonData() } }
    case "read-int":
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= metrics.likeCount ?? 0 }
        guard sum > 0 else { throw Unexpected() }
      }
    case "read-string":
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= post.text.utf8.count }
        guard sum > 0 else { throw Unexpected() }
      }
    default:
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= response.data.username.utf8.count }
        guard sum > 0 else { throw Unexpected() }
      }
    }
  }

  // MARK: Calls

  private static let bearer: any Authenticator = Bearer(
    "AAAAAAAAAAAAAAAAAAAAAMLheAAAAAAA0%2BuSeid%2BULvsea4JtiGRiSDSJSI")
  private static let oauth1: any Authenticator = OAuth1(
    consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
    token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
    tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")

  /// About 2.1 KB.
  static let user: Data = {
    let link =
      #"{"start":0,"end":23,"url":"https://t.co/abcdefghij","expanded_url":"https://example.com/a/longer/path","display_url":"example.com/a/longer/p…"}"#
    let description = Array(repeating: "Größe schnell \\u00e9 the release today 🚀 brings", count: 12).joined(
      separator: " ")
    return Data(
      (#"{"data":{"id":"2244994945","name":"Somebody","username":"somebody","created_at":"2013-12-14T04:35:55.000Z","#
        + #""description":"\#(description)","verified":true,"location":"Somewhere","#
        + #""entities":{"url":{"urls":[\#(link)]},"description":{"urls":[\#(link),\#(link)]}},"#
        + #""profile_image_url":"https://pbs.example.com/profile_images/1346889436626259968/photo_normal.jpg","#
        + #""public_metrics":{"followers_count":583423,"following_count":2048,"tweet_count":14052,"listed_count":1672},"#
        + #""pinned_tweet_id":"1346889436626259968"},"includes":{"users":[{"id":"1","name":"Another","username":"another"}]}}"#)
        .utf8)
  }()

  /// The fields of an answer, beside type and length: ten.
  private static let fields: [(String, String)] = [
    ("date", "Sat, 21 Nov 2026 10:00:00 GMT"), ("server", "envoy"), ("x-rate-limit-limit", "75"),
    ("x-rate-limit-remaining", "74"), ("x-rate-limit-reset", "1795255200"), ("x-response-time", "46"),
    ("x-transaction-id", "1f0b5d2e7a9c4d13"), ("cache-control", "no-cache, no-store, max-age=0"),
    ("strict-transport-security", "max-age=631138519"), ("x-connection-hash", "8c1d0d4bb1b6a2c2e0e2a0aee0e5a1b4"),
  ]
  static let headText = fields.map { "\($0): \($1)\r\n" }.joined()

  private static let answerFields: HTTPFields = {
    var result: HTTPFields = [.contentType: "application/json; charset=utf-8", .contentLength: "\(user.count)"]
    for (name, value) in fields { if let name = HTTPField.Name(name) { result[name] = value } }
    return result
  }()

  /// Answers at once, and keeps nothing.
  private struct MemoryTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try request.validate()
      return TransportResponse(headerFields: Counts.answerFields, body: Counts.user)
    }
  }

  private static let memory = ClientConfiguration(transport: MemoryTransport())
  private static func loopback(_ port: Int) -> ClientConfiguration {
    ClientConfiguration(hosts: .all(to: "http://127.0.0.1:\(port)"))
  }

  private static func call(
    _ auth: any Authenticator, _ configuration: ClientConfiguration, _ userFields: [BenchAPI.UserField]?
  ) -> Work {
    let api = BenchAPI(client: Client(auth: [auth], configuration: configuration))
    return { count in
      for _ in 0..<count {
        let me = try await api.getUsersMe(userFields: userFields)
        guard me.data.id == "2244994945" else { throw Unexpected() }
      }
    }
  }

  /// The same request and answer by the transport alone.
  static func exchange(_ port: Int, by transport: any Transport) -> Work {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/2/users/me")
    head.headerFields = [.accept: "application/json", .userAgent: "Callsign/0.1", .authorization: "Bearer token"]
    let request = TransportRequest(head: head)
    return { count in
      for _ in 0..<count {
        let response = try await transport.send(request)
        guard try await response.body.collect().count == user.count else { throw Unexpected() }
      }
    }
  }

  private static func dynamic() throws -> Work {
    let text = """
      api:
        name: Bench
        hosts: {api: https://api.x.com}
        schemes: {bearer: }
        auth: [bearer]

      endpoints:
        getUsersMe:
          call: GET /2/users/me
          summary: Gets the signed-in user's own account.
          params:
            user.fields: "[string]?"
          returns: UserResponse

      models:
        UserResponse: {data: User}
        User: {id: string, name: string, username: string, description: string?, verified: bool?}
      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "bench.yaml", bytes: Array(text.utf8))])
    guard let catalogue = result.catalogue else {
      print(result.diagnostics)
      throw Unexpected()
    }
    let api = DynamicAPI(catalogue, auth: [bearer], configuration: memory)
    let operation = try api.operation("getUsersMe")
    return { count in
      for _ in 0..<count {
        let answer = try await api.send(try operation.call())
        guard answer.value["data"]?["id"]?.string == "2244994945" else { throw Unexpected() }
      }
    }
  }

  // MARK: Streams

  private struct StreamTransport: Transport {
    /// Pieces of 16 KB, as libcurl hands them out, that records don't begin and end with.
    static let pieces: [Data] = {
      let page = try? JSONValue(jsonData: Page.json(posts: 1_000, seed: 7))
      var whole = Data()
      for post in page?["data"]?.array ?? [] {
        whole += Data(
          (#"{"data":\#(post),"matching_rules":[{"id":"1346889436626259968","tag":"release"}]}"# + "\r\n").utf8)
      }
      return stride(from: 0, to: whole.count, by: 16_384).map { whole[$0..<min($0 + 16_384, whole.count)] }
    }()

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(
        head: HTTPResponse(status: .ok, headerFields: Counts.answerFields), body: ResponseBody(Pieces()))
    }
  }

  /// The same pieces again and again: ids that came before are passed over, so no more are read than there are. One task
  /// reads it.
  private final class Pieces: ResponseBodySource, @unchecked Sendable {
    private var next = 0

    func next() async throws(TransportError) -> Data? {
      defer { next = (next + 1) % StreamTransport.pieces.count }
      return StreamTransport.pieces[next]
    }
  }

  private static func stream() -> Work {
    { count in
      // Of a client's own: records that came before are told by their ids.
      let api = BenchAPI(auth: .bearer("token"), ClientConfiguration(transport: StreamTransport()))
      var left = count
      for try await post in api.streamPosts().values {
        guard !post.data.id.isEmpty else { throw Unexpected() }
        left -= 1
        if left == 0 { break }
      }
    }
  }
}

extension LoopbackServer {
  /// Serves the call's answer, and prints the port, until its standard input ends.
  static func serveForever() throws {
    let server = try LoopbackServer(body: Counts.user, fields: Counts.headText)
    print(server.port)
    fflush(nil)
    while readLine() != nil {}
  }
}
