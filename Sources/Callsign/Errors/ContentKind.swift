import Foundation

/// What a body is, judged by its first bytes rather than by what its header claims.
public enum ContentKind: String, Sendable, Hashable {
  /// An object, array, string, number, `true`, `false` or `null`.
  case json
  /// A page, mostly by a proxy or gateway.
  case html
  /// An XML document.
  case xml
  /// Nothing, or white space.
  case empty
  /// Something else.
  case other
}
