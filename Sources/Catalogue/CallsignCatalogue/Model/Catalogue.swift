import CallsignSupport

/// A whole API, checked and complete: the contents of the catalogue files in one folder.
///
/// `spec/README.md` describes the YAML form of everything here.
public struct Catalogue: Sendable, Equatable {
  /// The `api:` section. Exactly one of the files has it.
  public var api: API
  /// One group for each catalogue file, in the order of their file names.
  public var groups: [Group]
  /// Examples of responses and models; `nil` if there are none.
  public var examples: CatalogueExamples?

  /// Creates a value from its properties.
  public init(api: API, groups: [Group] = []) {
    self.api = api
    self.groups = groups
  }
}

/// The facts that apply to every endpoint: names, hosts and ways to authenticate.
public struct API: Sendable, Equatable {
  /// The Swift type that has the methods, such as `XAPI`.
  public var name: String
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// The page that documents the API.
  public var documentation: String?
  /// Base URLs by name, in the catalogue's order. An endpoint that names no host uses the first.
  public var hosts: [CatalogueHost]
  /// The authentication schemes that endpoints may name, in the catalogue's order.
  public var schemes: [Scheme]
  /// The schemes for endpoints without an `auth:` key, unless their group sets others.
  public var defaultAuth: [AuthRequirement]?
  /// The settings for every call: the constants that it sends, and how a response says that the call failed.
  public var everyCall = EveryCall()
  /// How the API signs webhook deliveries; `nil` if it sends none or does not sign them.
  public var webhooks: WebhookScheme?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
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
  /// The name that endpoints refer to.
  public var name: String
  /// An absolute `https` URL (or `http` for loopback) without a trailing slash. `{name}` in it is a variable.
  public var url: String
  /// The variables of the URL, in the order of their appearance.
  public var variables: [HostVariable]
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
  public init(name: String, url: String, variables: [HostVariable] = [], location: SourceLocation = .none) {
    self.name = name
    self.url = url
    self.variables = variables
    self.location = location
  }
}

/// A part of a base URL that differs between users of the API, such as a tenant's name or a region.
public struct HostVariable: Sendable, Equatable {
  /// The name in the URL.
  public var name: String
  /// The Swift label, if the variable's name does not give a good one.
  public var swiftName: String?
  /// The value to use if the caller gives none; `nil` if the caller must give one.
  public var defaultValue: String?
  /// The values that the API's document lists; empty if any value is allowed.
  public var values: [String]
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
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
  /// A value to check or show if there is no default.
  package var sampleValue: String { values.first ?? name.filter { $0.isLetter || $0.isNumber } }
}

extension API {
  /// The host that receives an endpoint's calls: the one that it names, or the default host.
  package func host(of endpoint: Endpoint) -> CatalogueHost? {
    hosts.first { $0.name == endpoint.host } ?? hosts.first
  }
}

extension CatalogueHost {
  /// The URL as written in generated code: each variable with its default, `{version=v2}`.
  package var template: String {
    variables.reduce(url) { url, variable in
      guard let value = variable.defaultValue else { return url }
      return url.components(separatedBy: "{\(variable.name)}").joined(separator: "{\(variable.name)=\(value)}")
    }
  }

  /// A URL to check or show: each variable is replaced by its default, its first value, or its name.
  package var sampleURL: String {
    variables.reduce(url) { url, variable in
      let value = variable.defaultValue ?? variable.sampleValue
      return url.components(separatedBy: "{\(variable.name)}").joined(separator: value)
    }
  }
}

/// How an API signs webhook deliveries with an HMAC (RFC 2104).
public struct WebhookScheme: Sendable, Equatable {
  /// The supported hash functions.
  public enum Hash: String, Sendable, Hashable, CaseIterable {
    /// SHA-1.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512
  }

  /// How the secret encodes the bytes of the key: as plain text or as base64.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// Plain text.
    case text
    /// Base64.
    case base64
  }

  /// The header field with the signature.
  public var header: String
  /// The format of the field's value. `{hex}` or `{base64}` stands for the signature and `{timestamp}` for the time.
  public var format: String
  /// The signed text, made of `{body}`, `{timestamp}`, `{id}` and other characters.
  public var message: String
  /// The header field with the time, if the signature's field does not contain it.
  public var timestamp: String?
  /// The header field with the delivery's ID, if the ID is signed.
  public var id: String?
  /// The hash function.
  public var hash: Hash
  /// How the secret encodes the bytes of the key.
  public var key: Key

  /// Creates a value from its properties.
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

/// An authentication scheme of the API.
public struct Scheme: Sendable, Equatable {
  /// `oauth1`, `oauth2`, `bearer`, `basic`, `digest`, `none`, or a name that the catalogue defines.
  public var name: String
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// The OAuth 2.0 scopes that exist, with what each permits; empty if any scope is accepted.
  public var scopes: [Scope]
  /// Where a request carries the key, if this is an API key.
  public var key: KeyPlace?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
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
  /// The name used in a token request.
  public var name: String
  /// A one-line summary for the documentation comment.
  public var summary: String?

  /// Creates a value from its properties.
  public init(name: String, summary: String? = nil) {
    self.name = name
    self.summary = summary
  }
}

/// One catalogue file: a set of related endpoints, and models.
public struct Group: Sendable, Equatable {
  /// The file's name without folder and extension, such as `lists`.
  public var name: String
  /// The path of the file as given, for diagnostics.
  public var file: String
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// The endpoints, in the file's order.
  public var endpoints: [Endpoint]
  /// The models, in the file's order.
  public var models: [Model]

  /// Creates a value from its properties.
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
