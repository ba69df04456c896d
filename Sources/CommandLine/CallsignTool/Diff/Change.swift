/// One difference between two catalogues.
public struct Change: Sendable, Hashable {
  /// The kind of difference.
  public enum Kind: String, Sendable, Hashable {
    case added
    case removed
    case changed
  }

  /// The kind of difference.
  public var kind: Kind
  /// The subject: `endpoint createPosts`, `parameter createPosts.text`, `field Post.id`, `api`, …
  public var subject: String
  /// The difference as half a sentence; empty if the kind says everything.
  public var detail: String
  /// Whether callers of the generated Swift may have to change something: code that no longer compiles, or calls that the API or
  /// the client now rejects.
  public var isBreaking: Bool
  /// The group's name: the new catalogue's, or the old one's for what was removed.
  public var group: String

  /// Creates a difference in the group with the given name.
  public init(_ kind: Kind, _ subject: String, _ detail: String = "", isBreaking: Bool, group: String) {
    self.kind = kind
    self.subject = subject
    self.detail = detail
    self.isBreaking = isBreaking
    self.group = group
  }
}

extension Change {
  /// The change in the order of the arguments that exist before and after; `nil` if the order is the same.
  ///
  /// - Parameter what: The things with this order, and a verb: `the order of arguments is`.
  static func ofOrder(
    from before: [String], to after: [String], _ subject: String, _ what: String, group: String
  ) -> Change? {
    let common = Set(before).intersection(after)
    let order = after.filter(common.contains)
    guard before.filter(common.contains) != order else { return nil }
    return Change(.changed, subject, "\(what) \(order.joined(separator: ", "))", isBreaking: true, group: group)
  }
}
