/// A whole API: what the catalogue files of one folder say, checked and complete.
///
/// `spec/README.md` describes the YAML form of everything here.
public struct Catalogue: Sendable, Equatable {
  /// The `api:` section, which exactly one of the files has.
  public var api: API
  /// One group for each catalogue file, in the order of their file names.
  public var groups: [Group]

  /// Describes it; see the properties.
  public init(api: API, groups: [Group] = []) {
    self.api = api
    self.groups = groups
  }
}

/// The facts that hold for every endpoint: names, hosts, ways to authenticate.
public struct API: Sendable, Equatable {
  /// The Swift type that carries the methods, such as `XAPI`.
  public var name: String
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// The page that documents the API.
  public var documentation: String?
  /// Base URLs by name, in the catalogue's order; an endpoint that names no host uses the first.
  public var hosts: [Host]
  /// The authentication schemes that endpoints may name, in the catalogue's order.
  public var schemes: [Scheme]
  /// The schemes for endpoints that have no `auth:` of their own, unless their group says otherwise.
  public var defaultAuth: [AuthRequirement]?
  /// What every call carries, and how answers say that a call failed.
  public var everyCall = EveryCall()
  /// Where the catalogue says it.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(
    name: String, summary: String? = nil, documentation: String? = nil, hosts: [Host], schemes: [Scheme] = [],
    defaultAuth: [AuthRequirement]? = nil, location: SourceLocation = .none
  ) {
    self.name = name
    self.summary = summary
    self.documentation = documentation
    self.hosts = hosts
    self.schemes = schemes
    self.defaultAuth = defaultAuth
    self.location = location
  }
}

/// A named base URL.
public struct Host: Sendable, Equatable {
  /// The name that endpoints use.
  public var name: String
  /// An absolute `https` (or, for loopback, `http`) URL without a trailing slash.
  public var url: String
  /// Where the catalogue says it.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(name: String, url: String, location: SourceLocation = .none) {
    self.name = name
    self.url = url
    self.location = location
  }
}

/// An authentication scheme that the API knows.
public struct Scheme: Sendable, Equatable {
  /// `oauth1`, `oauth2`, `bearer`, `basic`, `digest`, `none`, or a name of the catalogue's own.
  public var name: String
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// The OAuth 2.0 scopes that exist, with what each permits; empty when any is accepted.
  public var scopes: [Scope]
  /// Where the credentials go, for an API key.
  public var key: KeyPlace?
  /// Where the catalogue says it.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(
    name: String, summary: String? = nil, scopes: [Scope] = [], key: KeyPlace? = nil, location: SourceLocation = .none
  ) {
    self.name = name
    self.summary = summary
    self.scopes = scopes
    self.key = key
    self.location = location
  }
}

/// An OAuth 2.0 scope (RFC 6749 §3.3).
public struct Scope: Sendable, Equatable {
  /// The word that a token request uses.
  public var name: String
  /// One line of plain words for the documentation comment.
  public var summary: String?

  /// Describes it; see the properties.
  public init(name: String, summary: String? = nil) {
    self.name = name
    self.summary = summary
  }
}

/// One catalogue file: endpoints that belong together, and models.
public struct Group: Sendable, Equatable {
  /// The file's name without folder and extension, such as `lists`.
  public var name: String
  /// The path of the file as it was given, for diagnostics.
  public var file: String
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// In the file's order.
  public var endpoints: [Endpoint]
  /// In the file's order.
  public var models: [Model]

  /// Describes it; see the properties.
  public init(
    name: String, file: String, summary: String? = nil, endpoints: [Endpoint] = [], models: [Model] = []
  ) {
    self.name = name
    self.file = file
    self.summary = summary
    self.endpoints = endpoints
    self.models = models
  }
}
