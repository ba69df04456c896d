import CallsignSupport

/// A whole API: what the catalogue files of one folder say, checked and complete.
///
/// `spec/README.md` describes the YAML form of everything here.
public struct Catalogue: Sendable, Equatable {
  /// The `api:` section, which exactly one of the files has.
  public var api: API
  /// One group for each catalogue file, in the order of their file names.
  public var groups: [Group]
  /// Examples of responses and models; `nil` where there are none.
  public var examples: CatalogueExamples?

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
  public var hosts: [CatalogueHost]
  /// The authentication schemes that endpoints may name, in the catalogue's order.
  public var schemes: [Scheme]
  /// The schemes for endpoints that have no `auth:` of their own, unless their group says otherwise.
  public var defaultAuth: [AuthRequirement]?
  /// The facts of every call: the constants that it carries, and how responses say that it failed.
  public var everyCall = EveryCall()
  /// The scheme by which the API signs what it delivers to webhooks; `nil` where it delivers nothing, or signs nothing.
  public var webhooks: WebhookScheme?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(
    name: String, summary: String? = nil, documentation: String? = nil, hosts: [CatalogueHost], schemes: [Scheme] = [],
    defaultAuth: [AuthRequirement]? = nil, webhooks: WebhookScheme? = nil, location: SourceLocation = .none
  ) {
    self.webhooks = webhooks
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
public struct CatalogueHost: Sendable, Equatable {
  /// The name that endpoints use.
  public var name: String
  /// An absolute `https` (or, for loopback, `http`) URL without a trailing slash. `{name}` in it is a variable.
  public var url: String
  /// The variables of the URL, in the order in which it has them.
  public var variables: [HostVariable]
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(name: String, url: String, variables: [HostVariable] = [], location: SourceLocation = .none) {
    self.name = name
    self.url = url
    self.variables = variables
    self.location = location
  }
}

/// A part of a base URL that differs from one user of the API to the next, such as a tenant's name or a region.
public struct HostVariable: Sendable, Equatable {
  /// As in the URL.
  public var name: String
  /// The Swift label where the variable's own name would not do.
  public var swiftName: String?
  /// The value that stands where the caller gives none; `nil`: a caller must.
  public var defaultValue: String?
  /// The values that the API's document lists; empty for any.
  public var values: [String]
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(
    name: String, swiftName: String? = nil, defaultValue: String? = nil, values: [String] = [], summary: String? = nil,
    location: SourceLocation = .none
  ) {
    self.name = name
    self.swiftName = swiftName
    self.defaultValue = defaultValue
    self.values = values
    self.summary = summary
    self.location = location
  }
}

extension HostVariable {
  /// A value to check or to show, where there is no default.
  package var sampleValue: String { values.first ?? name.filter { $0.isLetter || $0.isNumber } }
}

extension API {
  /// The host that an endpoint's calls go to: the one that it names, else the default one.
  package func host(of endpoint: Endpoint) -> CatalogueHost? {
    hosts.first { $0.name == endpoint.host } ?? hosts.first
  }
}

extension CatalogueHost {
  /// The URL as generated code has it: each variable with its default, `{version=v2}`.
  package var template: String {
    variables.reduce(url) { url, variable in
      guard let value = variable.defaultValue else { return url }
      return url.components(separatedBy: "{\(variable.name)}").joined(separator: "{\(variable.name)=\(value)}")
    }
  }

  /// The URL with each variable's default, its first value, or its name in its place: one to check, or to show.
  package var sampleURL: String {
    variables.reduce(url) { url, variable in
      let value = variable.defaultValue ?? variable.sampleValue
      return url.components(separatedBy: "{\(variable.name)}").joined(separator: value)
    }
  }
}

/// A scheme by which an API signs what it delivers to webhooks: by an HMAC (RFC 2104).
public struct WebhookScheme: Sendable, Equatable {
  /// The hash functions that there are.
  public enum Hash: String, Sendable, Hashable, CaseIterable {
    /// SHA-1.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512
  }

  /// The form in which the secret stands for the key's bytes: as its own text, or as base64.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// Its own text.
    case text
    /// Base64.
    case base64
  }

  /// The header field that has the signature.
  public var header: String
  /// The field's value, in which `{hex}` or `{base64}` stands for the code and `{timestamp}` for the time.
  public var format: String
  /// The text that is signed, of `{body}`, `{timestamp}`, `{id}` and other characters.
  public var message: String
  /// The header field that has the time, where the signature's has not.
  public var timestamp: String?
  /// The header field that has the delivery's id, where it is signed.
  public var id: String?
  /// The hash function.
  public var hash: Hash
  /// The form in which the secret stands for the key's bytes.
  public var key: Key

  /// Describes it; see the properties.
  public init(
    header: String, format: String, message: String = "{body}", timestamp: String? = nil, id: String? = nil,
    hash: Hash = .sha256, key: Key = .text
  ) {
    self.header = header
    self.format = format
    self.message = message
    self.timestamp = timestamp
    self.id = id
    self.hash = hash
    self.key = key
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
  /// The part of the request that carries the key, for an API key.
  public var key: KeyPlace?
  /// Its place in the catalogue.
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
