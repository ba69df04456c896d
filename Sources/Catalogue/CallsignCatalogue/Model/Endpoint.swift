/// One call of the API: what goes out, what comes back, and who may make it.
public struct Endpoint: Sendable, Equatable {
  /// The key in the catalogue, which is the operation's name: `updateLists`.
  public var name: String
  /// The Swift method's name where the operation's own would not do.
  public var swiftName: String?
  /// An HTTP method in capitals (RFC 9110 §9).
  public var method: String
  /// The path with `{placeholders}`, from the host's base URL on.
  public var path: String
  /// The name of one of the API's hosts; `nil` means the first.
  public var host: String?
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// Further paragraphs for the documentation comment.
  public var details: String?
  /// The page that documents this endpoint.
  public var documentation: String?
  /// Alternatives, any one of which the API accepts, with the group's or the API's default filled in.
  public var auth: [AuthRequirement]
  /// In the catalogue's order; empty when the catalogue says nothing.
  public var limits: [RateLimit]
  /// Set where it should not be used any more.
  public var deprecation: Deprecation?
  /// Whether the call may be sent again when its response was lost. `nil` means: as the method's definition has
  /// it (RFC 9110 §9.2.2).
  public var isRepeatable: Bool?
  /// In the catalogue's order.
  public var parameters: [Parameter]
  /// The format of parameters that are in the body.
  public var body: BodyFormat?
  /// The media type of the body where it is not the format's own, such as `application/merge-patch+json`.
  public var contentType: String?
  /// Whether the body is one parameter that is not JSON: bytes, or text as it is.
  package var hasRawBody: Bool { contentType != nil && body == nil }
  /// The media type to ask for, where it is not JSON.
  public var accept: String?
  /// Whether the response may be of any type, which its header then says: JSON for which `*/*` is asked.
  package var returnsAnyContent: Bool {
    accept == "*/*" && returns?.kind == .scalar(.json) && stream == nil && pages == nil && poll == nil
  }
  /// The types of error bodies by status.
  public var errors: [ErrorBody] = []
  /// Header fields of the response that callers use.
  public var responseHeaders: [ResponseHeader] = []
  /// The header field that carries a key by which the API knows the call again; `nil`: as the API has it, empty: none.
  public var idempotencyKey: String?
  /// The data of the event that ends a stream.
  public var streamEnd: String?
  /// Whether a stream's record is the whole event, and not its data alone.
  public var hasWholeEvents = false
  /// Demands on several parameters together.
  public var rules: [ParameterRule]
  /// The type of a successful response; `nil` when it has no content worth decoding.
  public var returns: TypeReference?
  /// The status of a successful response (RFC 9110 §15.3); `nil`: 200, or 204 where it has no content, or
  /// 202 where it starts an operation that goes on.
  public var status: Int?
  /// Set for an endless response of records.
  public var stream: StreamFraming?
  /// The parameter that, when it is sent, makes the server frame records by length instead of as `stream` says.
  public var lengthFramingParameter: String?
  /// Set where a stream can send again what a lost connection has missed.
  public var backfill: Backfill?
  /// Set where the result comes page by page.
  public var pages: Pagination?
  /// Set where the call starts an operation that goes on after its response.
  public var poll: OperationPoll?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
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

/// One acceptable kind of credential: a scheme and, for OAuth 2.0, the scopes that it must cover.
public struct AuthRequirement: Sendable, Hashable {
  /// One of the API's schemes.
  public var scheme: String
  /// OAuth 2.0 scopes, all of which are needed (RFC 6749 §3.3).
  public var scopes: [String]
  /// Further credentials that must go along.
  public var others: [AuthRequirement]

  /// Describes it; see the properties.
  public init(scheme: String, scopes: [String] = [], others: [AuthRequirement] = []) {
    self.scheme = scheme
    self.scopes = scopes
    self.others = others
  }

  /// It, and what must go along.
  public var all: [AuthRequirement] { [AuthRequirement(scheme: scheme, scopes: scopes)] + others }
}

/// The number of requests that a window of time allows, for one kind of caller.
public struct RateLimit: Sendable, Hashable {
  /// The caller whose requests the limit counts: `user`, `app`, or a word of the catalogue's own.
  public var subject: String
  /// The number of requests that one window allows.
  public var requests: Int
  /// The window's length in seconds.
  public var windowSeconds: Int

  /// Describes it; see the properties.
  public init(subject: String, requests: Int, windowSeconds: Int) {
    self.subject = subject
    self.requests = requests
    self.windowSeconds = windowSeconds
  }
}

/// That something should not be used any more, and what to use instead.
public struct Deprecation: Sendable, Hashable {
  /// Names the replacement; `nil` when there is none.
  public var message: String?

  /// Describes it; see the properties.
  public init(message: String? = nil) { self.message = message }
}

/// The form in which body parameters are sent.
public enum BodyFormat: String, Sendable, Hashable, CaseIterable {
  /// A JSON object with a member for each parameter (RFC 8259).
  case json
  /// `application/x-www-form-urlencoded`.
  case form
  /// `multipart/form-data` (RFC 7578).
  case multipart
}

/// The framing by which a stream's records are told apart.
public enum StreamFraming: String, Sendable, Hashable, CaseIterable {
  /// One record a line, ended by CR LF or LF; empty lines keep the connection alive.
  case lines
  /// A line with the decimal byte count, then as many bytes.
  case length
  /// Server-sent events (WHATWG HTML §9.2).
  case events
  /// One JSON array, whose elements are the records.
  case array
}

/// The parameter by which a stream sends again what a lost connection has missed.
public struct Backfill: Sendable, Hashable {
  /// The query parameter that says how many minutes, from 1 to its type's greatest value.
  public var parameter: String
  /// The dotted path of a record's id, such as `data.id`; `nil`: records are compared whole.
  public var id: String?

  /// Describes it; see the properties.
  public init(parameter: String, id: String? = nil) {
    self.parameter = parameter
    self.id = id
  }
}

/// The rules by which an endpoint hands out a long result page by page.
public struct Pagination: Sendable, Equatable {
  /// A way to ask for the next page.
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// An opaque token from the response goes into the next request; its absence ends the list.
    case token
    /// Like `token`, but `0` ends the list and `-1` begins it.
    case cursor
    /// The next request asks for elements with an id below the smallest one seen.
    case maxID = "max_id"
    /// Pages count from 1; an empty page ends the list.
    case page
    /// The next request says how many elements to pass over; an empty page ends the list.
    case offset
    /// The next request asks for elements after the last one's id; an empty page ends the list.
    case lastID = "last_id"
    /// The response has the URL of the next page.
    case url
    /// The response's `Link` field has the URL of the next page (RFC 8288), or the field of ``Pagination/nextHeader`` is that
    /// URL.
    case link

    /// Whether a request parameter asks for a page.
    public var hasParameter: Bool { self != .url && self != .link }
  }

  /// The way to ask for the next page.
  public var style: Style
  /// The request parameter that asks for a page; `nil` where the response has the page's URL.
  public var requestParameter: String? { style.hasParameter ? parameter : nil }
  /// The request parameter that carries the token, cursor, id or number; where there is none, the path of the URL, or
  /// `next`.
  public var parameter: String
  /// The dotted path of the next token in the response, such as `meta.next_token`.
  public var next: String?
  /// The response's header field that has the next token, or of pages by `link` the next page's URL.
  public var nextHeader: String?
  /// The dotted path of the member that says whether there are more pages.
  public var more: String?
  /// The dotted path of the number of elements that all pages have together.
  public var total: String?
  /// The number of the first page, where it is not 1.
  public var first: Int?
  /// The dotted path of the token of the page before.
  public var previous: String?
  /// The dotted path of the elements in the response; `.` when the response is the array itself.
  public var items: String
  /// The request parameter that sets the size of a page.
  public var size: String?
  /// The element's id field, for `maxID` and ``since``.
  public var id: String?
  /// The request parameter that bounds ids from below, by which what is new is asked for.
  public var since: String?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
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
