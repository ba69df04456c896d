import Foundation
import Logging

/// How a ``Client`` works. Every property has a default.
public struct ClientConfiguration: Sendable {
  public init() {}
}
