import Callsign
import CallsignAuth
import CallsignX
import Foundation

/// Signs, sends and reads everything once or a few times, for `Scripts/internal/check-memory`, which runs it under valgrind. The
/// sandbox's address and credentials, which are made up, come in by standard input.
@main
enum MemoryProbe {
  /// Not asynchronous: the main thread would end, and valgrind with it.
  static func main() {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await run() } catch { print("\(error)") }
      isDone.signal()
    }
    isDone.wait()
  }

  private static func run() async throws {
    let words = (readLine() ?? "").split(separator: " ").map(String.init)
    guard words.count == 5 else { return print("no address on standard input") }
    try signing()
    try models()
    try await tokens()
    try await transport(words)
    print("done")
  }

  // MARK: Signing

  private static func signing() throws {
    var methods: [OAuth1SignatureMethod] = [.hmacSHA1, .hmacSHA256, .plaintext]
    if let pem = CommandLine.arguments.dropFirst().first.flatMap({ try? String(contentsOfFile: $0, encoding: .utf8) }) {
      methods.append(.rsaSHA1(try RSAPrivateKey(pem: Secret(pem))))
    }
    for method in methods {
      for secret in ["", "s", String(repeating: "long ", count: 40)] {
        let signer = OAuth1Signer(
          consumerKey: "key", consumerSecret: Secret(secret), token: "token", tokenSecret: Secret(secret),
          signatureMethod: method, realm: "a realm")
        for length in [0, 1, 15, 16, 17, 200] {
          let signature = try signer.sign(
            method: "POST", url: "https://api.example.com/a%20b?x=\(String(repeating: "é", count: length))",
            form: [("name", String(repeating: "+ &", count: length))], nonce: "nonce", timestamp: "1")
          guard !signature.signature.isEmpty else { throw Failure() }
        }
      }
    }
    // Keys that are none are refused, and leave nothing behind.
    for text in ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
      guard (try? RSAPrivateKey(pem: Secret(text))) == nil else { throw Failure() }
      guard (try? ClientCertificate(pem: Data(text.utf8), hosts: ["a.example"])) == nil else { throw Failure() }
      guard (try? ClientCertificate(pkcs12: Data(text.utf8), password: "p", hosts: ["a.example"])) == nil else {
        throw Failure()
      }
    }
  }

  // MARK: Models

  private static func models() throws {
    let post =
      #"{"id":"1","text":"é \u00e9 😀","author_id":"2","created_at":"2026-01-02T03:04:05.000Z","lang":"en","#
      + #""public_metrics":{"retweet_count":1,"reply_count":2,"like_count":3,"quote_count":4},"nothing":[1,{"a":null}]}"#
    for text in [
      "{\"data\":[\(post),\(post)],\"includes\":{\"users\":[{\"id\":\"2\",\"name\":\"n\",\"username\":\"u\"}]}}",
      "{\"data\":[\(post),{}]}", "{\"data\":[\(post)", "[]", "", "{\"data\":{\"id\":5}}",
    ] {
      guard let page = try? XAPI.TimelineResponse(jsonData: Data(text.utf8)) else { continue }
      var copy = page
      copy.data.append(contentsOf: page.data)
      guard copy != page, try XAPI.TimelineResponse(jsonData: copy.jsonData()) == copy else { throw Failure() }
      _ = "\(page.data.map(\.text)) \(copy.hashValue) \(copy.debugDescription)"
    }
  }

  // MARK: Tokens

  private static func tokens() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let token = StoredToken(kind: .bearer, accessToken: "token")
    guard try StoredToken(encoded: token.encoded()).accessToken.reveal() == "token" else { throw Failure() }
    _ = FileTokenStore(folder: folder)
  }

  // MARK: Transport

  private static func transport(_ words: [String]) async throws {
    let x = XAPI(
      auth: .oauth1(
        OAuth1(consumerKey: words[1], consumerSecret: Secret(words[2]), token: words[3], tokenSecret: Secret(words[4]))),
      configuration: ClientConfiguration(hosts: .all(to: words[0])))
    let me = try await x.getUsersMe()
    for number in 0..<3 {
      let post = try await x.createPosts(text: "number \(number) é 😀")
      _ = try await x.getPostsById(id: post.data.id, postFields: [.createdAt], expansions: [.authorID])
      _ = try await x.deletePosts(id: post.data.id)
    }
    // Refused, and never there.
    _ = try? await x.getPostsById(id: "1")
    _ = try? await XAPI(
      auth: .bearer("wrong"), configuration: ClientConfiguration(hosts: .all(to: "http://127.0.0.1:1"), retry: .never)
    ).getPostsById(id: "1")
    // Side by side, some cancelled.
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask {
          let call = Task { try await x.getUsersPosts(id: me.data.id) }
          if number % 3 == 0 { call.cancel() }
          _ = await call.result
        }
      }
    }
    // In chunks, from memory and from a file.
    var bytes = Data([0, 0, 0, 0x18] + Array("ftypisom".utf8))
    bytes.append(Data(count: 300_000))
    _ = try await x.upload(data: bytes, options: UploadOptions(chunkSize: 65_536, processingTimeout: .zero))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID().uuidString).mp4")
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await x.upload(file: file, options: UploadOptions(chunkSize: 65_536, processingTimeout: .zero))
  }

  private struct Failure: Error {}
}
