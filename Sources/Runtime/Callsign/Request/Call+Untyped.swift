import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The credentials that an untyped call gets.
public enum CallCredentials: Sendable, Hashable {
  /// The client's first authenticator. A URL outside its hosts is refused rather than called without.
  case automatic
  /// The first authenticator that the text accepts, written as in a catalogue: `oauth1 | oauth2(pets.read users.read)`.
  case accepting(String)
  /// None.
  case none

  /// Those of the kinds that the call of a response accepted, for calls that belong to it.
  package init(of response: RawResponse?) {
    guard let response else {
      self = .automatic
      return
    }
    self = response.acceptedCredentials.map { $0.isEmpty ? .automatic : .accepting($0) } ?? .none
  }
}

/// The body of an untyped call.
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

extension Call {
  /// Begins an untyped call, to an endpoint that no catalogue has.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: An absolute URL, which may already have a query.
  ///   - query: Further query parameters, sorted by name. A `nil` is left out.
  ///   - body: The body.
  ///   - auth: Which credentials to send. They are sent only to the hosts that their authenticator names.
  ///   - options: The settings for this call that differ from its client's.
  public init(
    _ method: HTTPRequest.Method, _ url: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) {
    self.init(method, url, below: [], query: query, body: body, auth: auth, options: options)
  }

  /// Begins an untyped call of an API.
  ///
  /// - Parameters:
  ///   - name: For errors and logs; by default the method and the path.
  ///   - url: An absolute URL, or a path below the first base URL.
  ///   - baseURLs: The hosts that the API's catalogue names.
  package init(
    name: String? = nil, _ method: HTTPRequest.Method, _ url: String, below baseURLs: [String],
    query: [String: (any ParameterValue & Sendable)?] = [:], body: CallBody? = nil,
    auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) {
    let text = UntypedURL(url, below: baseURLs.first)
    let name = name ?? "\(method.rawValue) \(text.place.printable)"
    do throws(InvalidCall) {
      let url = try AbsoluteURL(checking: text.absolute, endpoint: name)
      let isRepeatable = method.isSafe || method == .put || method == .delete
      let credentials: [AuthRequirement]? =
        switch auth {
        case .automatic: []
        case .accepting(let text): AuthRequirement.alternatives(text)
        case .none: nil
        }
      let endpoint = CompiledEndpoint(
        name: name, method: method, url: url,
        isNamedByCatalogue: baseURLs.contains { AbsoluteURL($0)?.origin == url.origin },
        credentials: credentials, isRepeatable: isRepeatable, hasPlaceholders: false)
      self.init(.untyped(name, endpoint), options)
    } catch {
      self.init(.untyped(name, nil), options)
      edit { $0.problem = error }
    }
    edit { storage in
      storage.query = Self.encode(query)
      if let body { storage.set(body) }
    }
  }

  fileprivate static func encode(_ parameters: [String: (any ParameterValue & Sendable)?]) -> [UInt8] {
    var bytes: [UInt8] = []
    for name in parameters.sortedNames {
      guard let value = parameters[name] ?? nil else { continue }
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      PercentEncoding.append(name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      PercentEncoding.append(value.parameterText, to: &bytes)
    }
    return bytes
  }
}

extension Call.Storage {
  fileprivate func set(_ body: CallBody) {
    switch body {
    case .json(let value):
      do throws(JSONError) { wholeBody = (.data(try value.jsonData()), "application/json") } catch {
        fail(.body("\(error)"))
      }
    case .form(let fields):
      wholeBody = (.data(Data(Call.encode(fields))), "application/x-www-form-urlencoded")
    case .multipart(let multipart):
      do throws(TransportError) { wholeBody = (try multipart.requestBody(), multipart.contentType) } catch {
        fail(.body(error.summary))
      }
    case .data(let data, let contentType): wholeBody = (.data(data), contentType)
    case .stream(let content, let contentType): wholeBody = (content, contentType)
    }
  }
}

/// A caller's URL, or path below an API's base URL.
private struct UntypedURL {
  private let text: String
  private let base: String?

  init(_ text: String, below base: String?) {
    self.text = text
    self.base = base
  }

  /// The URL that the call goes to, for errors and logs: without the query, and without a user name and password.
  var place: String {
    guard isAbsolute else { return String(text.prefix { $0 != "?" && $0 != "#" }) }
    return AbsoluteURL(text)?.description ?? "an unreadable URL"
  }

  /// The URL with the API's base before it, unless it is absolute.
  var absolute: String {
    guard let base, !isAbsolute else { return text }
    return text.hasPrefix("/") ? base + text : "\(base)/\(text)"
  }

  private var isAbsolute: Bool {
    let beginning = text.prefix(8).lowercased()
    return beginning.hasPrefix("https://") || beginning.hasPrefix("http://")
  }
}
