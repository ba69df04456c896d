public protocol Authenticator: Sendable {}
