/// One call of the API: what it sends, what it returns, and which credentials it accepts.
public struct Endpoint: Sendable, Equatable {
  /// The key in the catalogue, which is the operation's name: `updateLists`.
  public var name: String
  /// The Swift method's name, if the operation's name does not give a good one.
  public var swiftName: String?
  /// An HTTP method in capitals (RFC 9110 §9).
  public var method: String
  /// The path with `{placeholders}`, relative to the host's base URL.
  public var path: String
  /// The name of one of the API's hosts; `nil` means the first.
  public var host: String?
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// Further paragraphs for the documentation comment.
  public var details: String?
  /// The page that documents this endpoint.
  public var documentation: String?
  /// The credentials that the API accepts; any one is enough. The defaults of the group or the API are filled in.
  public var auth: [AuthRequirement]
  /// The rate limits, in the catalogue's order; empty if the catalogue has none.
  public var limits: [RateLimit]
  /// Set if it is deprecated.
  public var deprecation: Deprecation?
  /// Whether the call can be sent again if its response was lost. `nil` follows the definition of the HTTP method (RFC 9110
  /// §9.2.2).
  public var isRepeatable: Bool?
  /// The parameters, in the catalogue's order.
  public var parameters: [Parameter]
  /// The format of body parameters.
  public var body: BodyFormat?
  /// Whether the API requires a body even if every parameter in it is left out. Clients always send it.
  public var isBodyRequired = false
  /// The media type of the body, if it differs from the format's usual one, such as `application/merge-patch+json`.
  public var contentType: String?
  /// Whether a request without a body is incomplete.
  package var needsBody: Bool {
    isBodyRequired || parameters.contains { [.field, .body].contains($0.place) && !$0.type.isOptional }
  }
  /// Whether the body is one parameter that is not JSON: bytes, or plain text.
  package var hasRawBody: Bool { contentType != nil && body == nil }
  /// The media type to request, if it is not JSON.
  public var accept: String?
  /// Whether the response may have any type, named in its header. The call then sends `Accept: */*`.
  package var returnsAnyContent: Bool {
    accept == "*/*" && returns?.kind == .scalar(.json) && stream == nil && pages == nil && poll == nil
  }
  /// The types of error bodies, by status.
  public var errors: [ErrorBody] = []
  /// The header fields of the response that callers can read.
  public var responseHeaders: [ResponseHeader] = []
  /// The header field for the idempotency key; `nil` uses the API's setting, and an empty string means none.
  public var idempotencyKey: String?
  /// The event data that ends a stream.
  public var streamEnd: String?
  /// Whether a record of the stream is the whole event instead of only its data.
  public var hasWholeEvents = false
  /// Rules that apply to several parameters together.
  public var rules: [ParameterRule]
  /// The type of a successful response; `nil` if the response has no content to decode.
  public var returns: TypeReference?
  /// The status of a successful response (RFC 9110 §15.3). `nil` means 200, 204 for a response without content, or 202 for a call
  /// that starts a long-running operation.
  public var status: Int?
  /// How the response's records are framed, if it is an endless stream.
  public var stream: StreamFraming?
  /// The parameter that makes the server frame records by length instead of as `stream` says.
  public var lengthFramingParameter: String?
  /// Set if a stream can resend what a lost connection missed.
  public var backfill: Backfill?
  /// Set if the result comes in pages.
  public var pages: Pagination?
  /// Set if the call starts an operation that continues after the response.
  public var poll: OperationPoll?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
  public init(
    name: String, swiftName: String? = nil, method: String, path: String, host: String? = nil,
    summary: String? = nil, details: String? = nil, documentation: String? = nil, auth: [AuthRequirement] = [],
    limits: [RateLimit] = [], deprecation: Deprecation? = nil, isRepeatable: Bool? = nil,
    parameters: [Parameter] = [], body: BodyFormat? = nil, rules: [ParameterRule] = [],
    returns: TypeReference? = nil, stream: StreamFraming? = nil,
    lengthFramingParameter: String? = nil, backfill: Backfill? = nil, pages: Pagination? = nil,
    location: SourceLocation = .none
  ) {
    self.name = name
    self.swiftName = swiftName
    self.method = method
    self.path = path
    self.host = host
    self.summary = summary
    self.details = details
    self.documentation = documentation
    self.auth = auth
    self.limits = limits
    self.deprecation = deprecation
    self.isRepeatable = isRepeatable
    self.parameters = parameters
    self.body = body
    self.rules = rules
    self.returns = returns
    self.stream = stream
    self.lengthFramingParameter = lengthFramingParameter
    self.backfill = backfill
    self.pages = pages
    self.location = location
  }
}

/// One accepted kind of credential: a scheme and, for OAuth 2.0, the scopes that it must have.
public struct AuthRequirement: Sendable, Hashable {
  /// The name of one of the API's schemes.
  public var scheme: String
  /// The OAuth 2.0 scopes; all of them are required (RFC 6749 §3.3).
  public var scopes: [String]
  /// Further credentials that must be sent with it.
  public var others: [AuthRequirement]

  /// Creates a value from its properties.
  public init(scheme: String, scopes: [String] = [], others: [AuthRequirement] = []) {
    self.scheme = scheme
    self.scopes = scopes
    self.others = others
  }

  /// This credential and the ones that must be sent with it.
  public var all: [AuthRequirement] { [AuthRequirement(scheme: scheme, scopes: scopes)] + others }
}

/// The number of requests allowed in a time window, for one kind of caller.
public struct RateLimit: Sendable, Hashable {
  /// Which caller's requests count: `user`, `app`, or a word that the catalogue defines.
  public var subject: String
  /// The number of requests allowed in one window.
  public var requests: Int
  /// The window's length in seconds.
  public var windowSeconds: Int

  /// Creates a value from its properties.
  public init(subject: String, requests: Int, windowSeconds: Int) {
    self.subject = subject
    self.requests = requests
    self.windowSeconds = windowSeconds
  }
}

/// Says that something is deprecated, and what to use instead.
public struct Deprecation: Sendable, Hashable {
  /// Names the replacement; `nil` if there is none.
  public var message: String?

  /// Creates a value from its properties.
  public init(message: String? = nil) { self.message = message }
}

/// The format of the body parameters.
public enum BodyFormat: String, Sendable, Hashable, CaseIterable {
  /// A JSON object with a member for each parameter (RFC 8259).
  case json
  /// `application/x-www-form-urlencoded`.
  case form
  /// `multipart/form-data` (RFC 7578).
  case multipart
}

/// How a stream separates its records.
public enum StreamFraming: String, Sendable, Hashable, CaseIterable {
  /// One record per line, ended by CR LF or LF. Empty lines keep the connection alive.
  case lines
  /// A line with the decimal byte count, followed by that many bytes.
  case length
  /// Server-sent events (WHATWG HTML §9.2).
  case events
  /// One JSON array, whose elements are the records.
  case array
}

/// The parameter that makes a stream resend what a lost connection missed.
public struct Backfill: Sendable, Hashable {
  /// The query parameter for the number of minutes, from 1 to the maximum of its type.
  public var parameter: String
  /// The dotted path of a record's ID, such as `data.id`; with `nil`, whole records are compared.
  public var id: String?

  /// Creates a value from its properties.
  public init(parameter: String, id: String? = nil) {
    self.parameter = parameter
    self.id = id
  }
}

/// How an endpoint returns a long result in pages.
public struct Pagination: Sendable, Equatable {
  /// How to request the next page.
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// An opaque token from the response goes into the next request. The list ends if there is no token.
    case token
    /// Like `token`, but `-1` starts the list and `0` ends it.
    case cursor
    /// The next request asks for elements with an ID below the smallest one seen.
    case maxID = "max_id"
    /// Pages count from 1; an empty page ends the list.
    case page
    /// The next request says how many elements to skip. An empty page ends the list.
    case offset
    /// The next request asks for elements after the last element's ID. An empty page ends the list.
    case lastID = "last_id"
    /// The response contains the URL of the next page.
    case url
    /// The URL of the next page is in the response's `Link` field (RFC 8288), or is the whole value of the field
    /// ``Pagination/nextHeader``.
    case link

    /// Whether a request parameter selects the page.
    public var hasParameter: Bool { self != .url && self != .link }
  }

  /// How to request the next page.
  public var style: Style
  /// The request parameter that selects the page; `nil` if the response contains the URL of the next page.
  public var requestParameter: String? { style.hasParameter ? parameter : nil }
  /// The request parameter for the token, cursor, ID or number. If there is none, the path of the URL, or `next`.
  public var parameter: String
  /// The dotted path of the next token in the response, such as `meta.next_token`.
  public var next: String?
  /// The response's header field with the next token or, for `link`, with the next page's URL.
  public var nextHeader: String?
  /// The dotted path of the member that says whether there are more pages.
  public var more: String?
  /// The dotted path of the total number of elements on all pages.
  public var total: String?
  /// The number of the first page, if it is not 1.
  public var first: Int?
  /// The dotted path of the previous page's token.
  public var previous: String?
  /// The dotted path of the elements in the response; `.` if the response itself is the array.
  public var items: String
  /// The request parameter that sets the size of a page.
  public var size: String?
  /// The element's ID field, for `maxID` and ``since``.
  public var id: String?
  /// The request parameter that sets a lower bound for IDs. It is used to ask for new elements.
  public var since: String?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
  public init(
    style: Style, parameter: String, next: String? = nil, previous: String? = nil, items: String,
    size: String? = nil, id: String? = nil, since: String? = nil, location: SourceLocation = .none
  ) {
    self.style = style
    self.parameter = parameter
    self.next = next
    self.previous = previous
    self.items = items
    self.size = size
    self.id = id
    self.since = since
    self.location = location
  }
}
