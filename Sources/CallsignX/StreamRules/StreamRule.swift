/// A rule of the filtered stream, to be added.
public struct StreamRule: Sendable, Hashable, ExpressibleByStringLiteral {
  /// What to look for, such as `#swift lang:en -is:retweet`.
  public var value: String
  /// A name by which posts say which rule chose them.
  public var tag: String?

  /// Describes a rule.
  public init(_ value: String, tag: String? = nil) {
    self.value = value
    self.tag = tag
  }

  /// A rule without a tag.
  public init(stringLiteral value: String) { self.init(value) }
}

/// What became of the rules of the filtered stream; after a dry run, what would.
public struct StreamRuleChange: Sendable {
  /// The rules that were added, with their ids.
  public var added: [XAPI.Rule] = []
  /// How many were deleted.
  public var deletedCount = 0
  /// The rules that stayed as they were, where they were looked at.
  public var unchanged: [XAPI.Rule] = []
  /// Why rules were not added or deleted.
  public var problems: [Problem] = []
}
