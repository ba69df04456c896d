/// One difference between two catalogues.
public struct Change: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    case added
    case removed
    case changed
  }

  public var kind: Kind
  /// What it is about: `endpoint createPosts`, `parameter createPosts.text`, `field Post.id`, `api`, …
  public var subject: String
  /// What is different, as half a sentence; empty where the kind says it all.
  public var detail: String
  /// Whether a caller of the generated Swift may have to change something: code that no longer compiles, or calls
  /// that the API or the client now refuses.
  public var isBreaking: Bool
  /// The group's name: the new catalogue's, or the old one's for what was removed.
  public var group: String

  public init(_ kind: Kind, _ subject: String, _ detail: String = "", isBreaking: Bool, group: String) {
    self.kind = kind
    self.subject = subject
    self.detail = detail
    self.isBreaking = isBreaking
    self.group = group
  }
}
