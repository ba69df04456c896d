import Foundation

extension Sandbox {
  /// What a developer sets for an app.
  public struct AppConfiguration: Sendable, Hashable {
    /// The name that login pages show.
    public var name: String
    /// Whether the app can keep a secret (RFC 6749 §2.1). A public client has no client secret and names itself by its client id alone.
    public var isConfidential: Bool
    /// The addresses to which logins return, for OAuth 1.0a and OAuth 2.0. An entry such as `myapp://` allows all of its
    /// scheme; any other allows itself, with any query. Addresses on loopback (`http://127.0.0.1`, `http://[::1]`,
    /// `http://localhost`) are always allowed, with any port and path.
    public var callbacks: [String]
    /// Whether the app may exchange passwords for tokens (xAuth), and take part in reverse auth.
    public var isEntitledToXAuth: Bool
    /// The most that OAuth 1.0a tokens of this app may do.
    public var permission: Permission

    /// Creates a configuration.
    /// - Parameters:
    ///   - name: the name that login pages show.
    ///   - isConfidential: whether there is a client secret.
    ///   - callbacks: the addresses to which logins return; `sandbox://` unless others are given.
    ///   - isEntitledToXAuth: whether the app may exchange passwords for tokens.
    ///   - permission: the most that OAuth 1.0a tokens of this app may do.
    public init(
      name: String = "Sandbox App", isConfidential: Bool = true, callbacks: [String] = ["sandbox://"],
      isEntitledToXAuth: Bool = false, permission: Permission = .readWrite
    ) {
      self.name = name
      self.isConfidential = isConfidential
      self.callbacks = callbacks
      self.isEntitledToXAuth = isEntitledToXAuth
      self.permission = permission
    }
  }

  /// Registers a further app.
  public func makeApp(_ configuration: AppConfiguration = AppConfiguration()) async -> App {
    await credentials.makeApp(configuration)
  }

  /// Changes what is set for an app, from the next request on. What depends on whether it is confidential stays as it was.
  public func configure(_ app: App, _ change: @Sendable (inout AppConfiguration) -> Void) async {
    await pipeline.authority.perform { server in
      guard var registered = server.registry.apps[app.consumerKey] else { return }
      change(&registered.configuration)
      server.registry.apps[app.consumerKey] = registered
    }
  }
}
