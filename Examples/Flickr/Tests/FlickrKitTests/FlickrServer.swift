import FlyingFox
import Foundation

/// A test's own Flickr, on two ports because Flickr has two hosts: it logs in, verifies every signature, and keeps photos.
actor FlickrServer {
  static let key = "app-key"
  static let secret = "app secret & more"

  struct Photo: Sendable, Equatable {
    var title: String
    var description: String
    var tags: [String]
    var bytes: Data
    var isPublic: Bool
  }

  /// The photos by their ids, for the only account.
  private(set) var photos: [String: Photo] = [:]
  /// The refused requests, with the reasons.
  private(set) var refusals: [String] = []
  /// The called methods, including the upload.
  private(set) var methods: [String] = []
  // Unchecked, because both are set before anyone else has the server.
  private(set) nonisolated(unsafe) var api = ""
  private(set) nonisolated(unsafe) var uploads = ""

  private let judge = SignatureJudge(consumerSecret: secret)
  private var nonces: Set<String> = []
  private var requestTokens: [String: (secret: String, verifier: String?)] = [:]
  private var tokens: [String: String] = [:]
  private var running: [Task<Void, any Error>] = []

  /// Starts both ports.
  static func start() async throws -> FlickrServer {
    let server = FlickrServer()
    server.api = try await server.listen(isForUploads: false)
    server.uploads = try await server.listen(isForUploads: true)
    return server
  }

  func stop() { running.forEach { $0.cancel() } }

  private func listen(isForUploads: Bool) async throws -> String {
    let server = HTTPServer(
      // By default, a busy machine has 15 seconds for a response.
      address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 300, logger: .disabled,
      handler: ClosureHTTPHandler { [self] in try await respond($0, isForUploads: isForUploads) })
    running.append(Task { try await server.run() })
    try await server.waitUntilListening(timeout: 120)
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw CancellationError() }
    return "http://127.0.0.1:\(port)"
  }

  /// Acts as the person does on the page: allows the app, and reads the code.
  func approve(_ page: URL) throws -> String {
    let pairs = SignatureJudge.pairs(page.query ?? "")
    let token = pairs.first { $0.name == "oauth_token" }?.value ?? ""
    guard page.path == "/services/oauth/authorize", pairs.contains(where: { $0 == ("perms", "write") }),
      requestTokens[token] != nil
    else { throw CancellationError() }
    requestTokens[token]?.verifier = "123-456-789"
    return "123-456-789"
  }
}

// Responses.
extension FlickrServer {
  private func respond(_ request: HTTPRequest, isForUploads: Bool) async throws -> HTTPResponse {
    let target = request.target.rawValue.split(separator: "?", maxSplits: 1).map(String.init)
    let path = target.first ?? ""
    let body = try await request.bodyData
    let type = request.headers[.contentType] ?? ""
    let form = Self.parts(body, type)
    var parameters = SignatureJudge.pairs(target.count > 1 ? target[1] : "")
    if type.hasPrefix("application/x-www-form-urlencoded") {
      parameters += SignatureJudge.pairs(String(decoding: body, as: UTF8.self))
    }
    // The texts of a form count, and the photo does not.
    parameters += form.filter { !$0.isFile }.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
    let credentials = SignatureJudge.authorization(request.headers[HTTPHeader("Authorization")] ?? "")
    let url = "http://\(request.headers[.host] ?? "")\(path)"

    func value(_ name: String) -> String { (parameters + credentials).first { $0.name == name }?.value ?? "" }
    let token = value("oauth_token")
    let isLogin = path.hasPrefix("/services/oauth/")
    guard let tokenSecret = isLogin ? (requestTokens[token]?.secret ?? "") : tokens[token] else {
      return refuse(98, "Invalid auth token", isForUploads)
    }
    guard value("oauth_consumer_key") == Self.key, nonces.insert(value("oauth_nonce")).inserted,
      judge.accepts(
        value("oauth_signature"), method: request.method.rawValue, url: url, parameters + credentials,
        tokenSecret: tokenSecret)
    else {
      refusals.append("\(request.method.rawValue) \(path)")
      return isLogin ? HTTPResponse(statusCode: .unauthorized) : refuse(96, "Invalid signature", isForUploads)
    }
    switch path {
    case "/services/oauth/request_token" where value("oauth_callback") == "oob":
      requestTokens["request"] = ("request secret", nil)
      return self.form("oauth_callback_confirmed=true&oauth_token=request&oauth_token_secret=request%20secret")
    case "/services/oauth/access_token":
      guard let verifier = requestTokens[token]?.verifier, verifier == value("oauth_verifier") else {
        return HTTPResponse(statusCode: .unauthorized, body: Data("oauth_problem=verifier_invalid".utf8))
      }
      requestTokens[token] = nil
      tokens["token"] = "token secret"
      return self.form("oauth_token=token&oauth_token_secret=token%20secret&user_nsid=12%40N01&username=ann")
    case "/services/upload/" where isForUploads: return upload(form, parameters)
    case "/services/rest" where !isForUploads:
      guard value("format") == "json", value("nojsoncallback") == "1" else {
        return HTTPResponse(statusCode: .ok, body: Data("jsonFlickrApi({})".utf8))
      }
      methods.append(value("method"))
      return call(value("method"), value)
    default: return HTTPResponse(statusCode: .notFound)
    }
  }

  private func call(_ method: String, _ value: (String) -> String) -> HTTPResponse {
    let id = value("photo_id")
    let user: [String: Any] = ["id": "12@N01", "username": ["_content": "ann"]]
    switch method {
    case "flickr.test.login": return json(["user": user])
    case "flickr.people.getPhotos":
      let (page, size) = (max(1, Int(value("page")) ?? 1), Int(value("per_page")) ?? 100)
      let sorted = photos.sorted { $0.key < $1.key }
      let pages = (sorted.count + size - 1) / size
      let items = sorted.dropFirst((page - 1) * size).prefix(size).map { id, photo -> [String: Any] in
        ["id": id, "owner": "12@N01", "title": photo.title, "ispublic": photo.isPublic ? 1 : 0, "views": "3"]
      }
      return json([
        "photos": ["page": page, "pages": pages, "perpage": size, "total": "\(sorted.count)", "photo": items]
      ])
    case "flickr.photos.setMeta" where photos[id] != nil:
      photos[id]?.title = value("title")
      photos[id]?.description = value("description")
      return json([:])
    case "flickr.photos.addTags" where photos[id] != nil:
      photos[id]?.tags += value("tags").split(separator: " ").map(String.init)
      return json([:])
    case "flickr.photos.delete" where photos.removeValue(forKey: id) != nil: return json([:])
    case "flickr.photos.setMeta", "flickr.photos.addTags", "flickr.photos.delete":
      return refuse(1, "Photo not found", false)
    default: return refuse(112, "Method \"\(method)\" not found", false)
    }
  }

  private func upload(_ form: [Part], _ parameters: SignatureJudge.Parameters) -> HTTPResponse {
    methods.append("upload")
    guard let photo = form.first(where: { $0.isFile && $0.name == "photo" }) else {
      return refuse(2, "No photo specified", true)
    }
    guard !photo.bytes.isEmpty else { return refuse(4, "Filesize was zero", true) }
    func value(_ name: String) -> String { parameters.first { $0.name == name }?.value ?? "" }
    let id = "\(5_000_000_000 + photos.count)"
    photos[id] = Photo(
      title: value("title"), description: value("description"),
      tags: value("tags").split(separator: " ").map(String.init), bytes: photo.bytes,
      isPublic: value("is_public") == "1")
    return xml("<rsp stat=\"ok\"><photoid>\(id)</photoid></rsp>")
  }

  /// A failure has status 200, in JSON and in XML.
  private func refuse(_ code: Int, _ message: String, _ isXML: Bool) -> HTTPResponse {
    if isXML { return xml("<rsp stat=\"fail\"><err code=\"\(code)\" msg=\"\(message)\" /></rsp>") }
    return json(["stat": "fail", "code": code, "message": message])
  }

  private func json(_ members: [String: Any]) -> HTTPResponse {
    let whole = members.merging(["stat": "ok"]) { own, _ in own }
    let body = (try? JSONSerialization.data(withJSONObject: whole)) ?? Data()
    return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json; charset=utf-8"], body: body)
  }

  private func xml(_ text: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: [.contentType: "text/xml; charset=utf-8"],
      body: Data("<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n\(text)\n".utf8))
  }

  private func form(_ text: String) -> HTTPResponse {
    HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: Data(text.utf8))
  }
}

// Forms (RFC 7578).
extension FlickrServer {
  struct Part {
    let name: String
    let isFile: Bool
    let bytes: Data
  }

  private static func parts(_ body: Data, _ type: String) -> [Part] {
    guard type.hasPrefix("multipart/form-data"), let mark = type.range(of: "boundary=") else { return [] }
    let boundary = Data("--\(type[mark.upperBound...])".utf8)
    var parts: [Part] = []
    var rest = body[...]
    while let begin = rest.range(of: boundary), let end = rest[begin.upperBound...].range(of: boundary) {
      let part = rest[begin.upperBound..<end.lowerBound]
      rest = rest[end.lowerBound...]
      guard let gap = part.range(of: Data("\r\n\r\n".utf8)) else { continue }
      let head = String(decoding: part[..<gap.lowerBound], as: UTF8.self)
      guard let name = head.firstMatch(of: /name="([^"]*)"/) else { continue }
      parts.append(
        Part(
          name: String(name.1), isFile: head.contains("filename="), bytes: Data(part[gap.upperBound...].dropLast(2))))
    }
    return parts
  }
}
