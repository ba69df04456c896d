import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes

/// Which credentials a free call gets.
public enum CallCredentials: Sendable, Hashable {
  /// The client's first authenticator. A URL outside its hosts is refused rather than called without.
  case automatic
  /// The first authenticator that the text accepts, written as in a catalogue: `oauth1 | oauth2(tweet.read users.read)`.
  case accepting(String)
  /// None.
  case none
}

/// What a free call carries.
public enum CallBody: Sendable {
  /// A JSON value.
  case json(JSONValue)
  /// Fields as `application/x-www-form-urlencoded`, sorted by name. A `nil` is left out.
  case form([String: (any ParameterValue & Sendable)?])
  /// Texts and files as `multipart/form-data`.
  case multipart(MultipartBody)
  /// Bytes of any kind.
  case data(Data, contentType: String)
  /// A body that is read while it is sent.
  case stream(RequestBody, contentType: String)
}

extension Client {
  /// Calls what no catalogue has.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: An absolute URL, which may have a query already.
  ///   - query: Further query parameters, sorted by name. A `nil` is left out.
  ///   - body: What to send.
  ///   - auth: Which credentials go along. Credentials go only to the hosts that their authenticator names.
  ///   - options: What this call does differently from its client.
  /// - Returns: The answer's JSON; JSON's `null` when the answer is empty.
  /// - Throws: ``CallError``.
  public func call(
    _ method: HTTPRequest.Method, _ url: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<JSONValue> {
    let call = FreeCall(method: method, url: url, query: query, body: body, credentials: auth, options: options)
    return try await send(call, baseURLs: [])
  }

  func prepare(_ call: FreeCall, baseURLs: [StaticString]) throws(CallError) -> PreparedCall {
    do throws(InvalidCall) { return try call.prepare(configuration, baseURLs: baseURLs) } catch {
      throw .invalidCall(error)
    }
  }

  fileprivate func send(_ call: FreeCall, baseURLs: [StaticString]) async throws(CallError) -> Response<JSONValue> {
    let answer = try await Exchange(client: self, call: try prepare(call, baseURLs: baseURLs)).answer()
    let value: JSONValue = answer.body.isEmpty ? .null : try answer.decode()
    return Response(value: value, answer: answer)
  }
}

extension APIClient {
  /// Calls what the catalogue lacks, signed all the same.
  ///
  /// ```swift
  /// let me = try await x.call(.get, "2/users/me", query: ["user.fields": "created_at"])
  /// ```
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - pathOrURL: A path below the API's first base URL, or an absolute URL; either may have a query already.
  ///   - query: Further query parameters, sorted by name. A `nil` is left out.
  ///   - body: What to send.
  ///   - auth: Which credentials go along. They go only to the API's hosts, or to those that their authenticator names.
  ///   - options: What this call does differently from its client.
  /// - Returns: The answer's JSON; JSON's `null` when the answer is empty.
  /// - Throws: ``CallError``.
  public func call(
    _ method: HTTPRequest.Method, _ pathOrURL: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<JSONValue> {
    let call = FreeCall(method: method, url: pathOrURL, query: query, body: body, credentials: auth, options: options)
    return try await client.send(call, baseURLs: Self.baseURLs)
  }
}

/// A call that is put together by hand.
struct FreeCall: Sendable {
  var method: HTTPRequest.Method
  var url: String
  var query: [String: (any ParameterValue & Sendable)?]
  var body: CallBody?
  var credentials: CallCredentials
  var options: CallOptions

  func prepare(_ configuration: ClientConfiguration, baseURLs: [StaticString]) throws(InvalidCall) -> PreparedCall {
    let name = "\(method.rawValue) \(place.printable)"
    func invalid(_ reason: InvalidCall.Reason) -> InvalidCall { InvalidCall(endpoint: name, reason: reason) }

    var target = try AbsoluteURL(checking: absolute(baseURLs), endpoint: name)
    let added = Self.encode(query)
    if !added.isEmpty {
      target.query = [target.query, added].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
    }
    guard let address = configuration.hosts.resolve(target) else {
      throw invalid(.url("ClientConfiguration.hosts replaces its base URL with what is not an absolute URL"))
    }

    var headers: HTTPFields = [.accept: ClientConfiguration.acceptedByDefault, .userAgent: configuration.userAgent]
    let body = try requestBody(&headers, name)
    for (field, value) in options.headers { try headers.set(field, value, endpoint: name) }
    let accepted: PreparedCall.Credentials =
      switch credentials {
      case .automatic: .accepted([])
      case .accepting(let text): .accepted(AuthRequirement.alternatives(text))
      case .none: .unsigned
      }
    let isRepeatable =
      switch method {
      case .get, .head, .options, .put, .delete: true
      default: false
      }
    return PreparedCall(
      name: name, method: method, url: target, address: address,
      isNamedByCatalogue: baseURLs.contains { AbsoluteURL($0.description)?.origin == target.origin },
      headers: headers, body: body, timeouts: options.timeouts ?? configuration.timeouts, credentials: accepted,
      isRepeatable: isRepeatable, options: options)
  }

  /// Where the call goes, for errors and logs: without the query, and without a user name and password.
  private var place: String {
    guard isAbsolute else { return String(url.prefix { $0 != "?" && $0 != "#" }) }
    return AbsoluteURL(url).map { $0.origin + $0.path } ?? "an unreadable URL"
  }

  /// The URL with the API's base before it, unless it is absolute.
  private func absolute(_ baseURLs: [StaticString]) -> String {
    guard let base = baseURLs.first?.description, !isAbsolute else { return url }
    return url.hasPrefix("/") ? base + url : "\(base)/\(url)"
  }

  private var isAbsolute: Bool {
    let beginning = url.prefix(8).lowercased()
    return beginning.hasPrefix("https://") || beginning.hasPrefix("http://")
  }

  private func requestBody(_ headers: inout HTTPFields, _ name: String) throws(InvalidCall) -> RequestBody {
    switch body {
    case nil: return .none
    case .json(let value)?:
      headers[.contentType] = "application/json"
      do throws(JSONError) { return .data(try value.jsonData()) } catch {
        throw InvalidCall(endpoint: name, reason: .body("\(error)"))
      }
    case .form(let fields)?:
      headers[.contentType] = "application/x-www-form-urlencoded"
      return .data(Data(Self.encode(fields).utf8))
    case .multipart(let multipart)?:
      headers[.contentType] = multipart.contentType
      do throws(TransportError) { return try multipart.requestBody() } catch {
        throw InvalidCall(endpoint: name, reason: .body(error.summary))
      }
    case .data(let data, let contentType)?:
      try headers.set("Content-Type", contentType, endpoint: name)
      return .data(data)
    case .stream(let body, let contentType)?:
      try headers.set("Content-Type", contentType, endpoint: name)
      return body
    }
  }

  private static func encode(_ parameters: [String: (any ParameterValue & Sendable)?]) -> String {
    parameters.sorted { $0.key < $1.key }.compactMap { name, value in
      value.map { "\(PercentEncoding.encode(name))=\(PercentEncoding.encode($0.parameterText))" }
    }.joined(separator: "&")
  }
}
