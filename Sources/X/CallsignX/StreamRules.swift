import Callsign
import XCore

extension XAPI {
  /// The rules that choose posts for the filtered stream. They belong to the app instead of a connection, and also apply to open
  /// streams.
  public var streamRules: StreamRules { StreamRules(x: self) }
}

/// The rules of the filtered stream; see ``XAPI/streamRules``. They require an app's bearer token.
///
/// Source: https://docs.x.com/x-api/posts/filtered-stream/integrate/build-a-rule
public struct StreamRules: Sendable {
  let x: XAPI

  /// All rules of the app, on any number of pages.
  ///
  /// - Throws: `CallError`.
  public func all(options: CallOptions = CallOptions()) async throws(CallError) -> [XAPI.Rule] {
    var rules: [XAPI.Rule] = []
    var token: String?
    repeat {
      let page = try await x.getRules(paginationToken: token, options: options)
      rules += page.data
      let next = page.meta?.nextToken
      // A repeated token would never end.
      token = next == token ? nil : next
    } while token != nil
    return rules
  }

  /// Adds rules. Rules that X refuses, for example because they already exist, are reported in ``StreamRuleChange/problems``; the
  /// others are added.
  ///
  /// - Parameters:
  ///   - rules: The rules to add. If there are none, nothing is sent.
  ///   - dryRun: Whether X only checks them and changes nothing.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`; X responds with an error if it refuses all rules.
  @discardableResult
  public func add(
    _ rules: [StreamRule], dryRun: Bool = false, options: CallOptions = CallOptions()
  ) async throws(CallError) -> StreamRuleChange {
    guard !rules.isEmpty else { return StreamRuleChange() }
    let response = try await x.updateRules(
      dryRun: dryRun ? true : nil, add: rules.map { XAPI.UpdateRulesAdd(value: $0.value, tag: $0.tag) },
      options: options)
    return StreamRuleChange(added: response.value.data, problems: response.errors)
  }

  /// Deletes rules by ID.
  ///
  /// - Parameters:
  ///   - ids: The rules to delete. If there are none, nothing is sent.
  ///   - dryRun: Whether X only checks them and changes nothing.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`.
  @discardableResult
  public func delete(
    ids: [String], dryRun: Bool = false, options: CallOptions = CallOptions()
  ) async throws(CallError) -> StreamRuleChange {
    guard !ids.isEmpty else { return StreamRuleChange() }
    return try await delete(XAPI.UpdateRulesDelete(ids: ids), dryRun: dryRun, options)
  }

  /// Deletes rules by their text.
  ///
  /// - Parameters:
  ///   - values: The rules to delete. If there are none, nothing is sent.
  ///   - dryRun: Whether X only checks them and changes nothing.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`.
  @discardableResult
  public func delete(
    values: [String], dryRun: Bool = false, options: CallOptions = CallOptions()
  ) async throws(CallError) -> StreamRuleChange {
    guard !values.isEmpty else { return StreamRuleChange() }
    return try await delete(XAPI.UpdateRulesDelete(values: values), dryRun: dryRun, options)
  }

  private func delete(
    _ rules: XAPI.UpdateRulesDelete, dryRun: Bool, _ options: CallOptions
  ) async throws(CallError) -> StreamRuleChange {
    let response = try await x.updateRules(dryRun: dryRun ? true : nil, delete: rules, options: options)
    return StreamRuleChange(deletedCount: response.meta?.summary?.deleted ?? 0, problems: response.errors)
  }
}

extension StreamRules {
  /// Makes these rules the only ones: adds the missing ones, then deletes the superfluous ones. Existing rules stay, so that the
  /// stream has no gap. A rule for which only the tag differs is deleted and added again, because X may not accept it twice.
  ///
  /// If X refuses a rule, nothing is deleted, and ``StreamRuleChange/problems`` gives the reason. If it refuses all, the call
  /// fails.
  ///
  /// - Parameters:
  ///   - rules: The rules to keep or add. An empty list deletes every rule.
  ///   - dryRun: Whether X only checks new rules and changes nothing. Rules that would be deleted are counted. A rule for which
  ///     only the tag differs is in ``StreamRuleChange/added`` without having been checked.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError`. Calling again continues after the failure.
  @discardableResult
  public func replaceAll(
    with rules: [StreamRule], dryRun: Bool = false, options: CallOptions = CallOptions()
  ) async throws(CallError) -> StreamRuleChange {
    let existing = try await all(options: options)
    let plan = Plan(existing: existing, wanted: rules)

    var change = try await add(plan.new, dryRun: dryRun, options: options)
    change.unchanged = plan.unchanged
    guard change.problems.isEmpty else { return change }
    let superfluous = plan.superfluous.compactMap(\.id)
    guard !dryRun else {
      change.deletedCount = superfluous.count
      // X cannot check these: as long as rules with the same text exist, it refuses them.
      change.added += plan.retagged.map { XAPI.Rule(tag: $0.tag, value: $0.value) }
      return change
    }
    let deletion = try await delete(ids: superfluous, options: options)
    change.deletedCount = deletion.deletedCount
    change.problems += deletion.problems
    guard change.problems.isEmpty else { return change }
    let retagged = try await add(plan.retagged, options: options)
    change.added += retagged.added
    change.problems += retagged.problems
    return change
  }

  /// The steps from one set of rules to another.
  private struct Plan {
    var unchanged: [XAPI.Rule] = []
    /// The rules to delete.
    var superfluous: [XAPI.Rule] = []
    /// The rules to add.
    var new: [StreamRule] = []
    /// The rules to add after the rule with the same text has been deleted.
    var retagged: [StreamRule] = []

    init(existing: [XAPI.Rule], wanted: [StreamRule]) {
      var missing: Set<StreamRule> = []
      let wanted = wanted.filter { missing.insert($0).inserted }
      for rule in existing {
        let isWanted = rule.value.map { missing.remove(StreamRule($0, tag: rule.tag)) != nil } ?? false
        if isWanted { unchanged.append(rule) } else { superfluous.append(rule) }
      }
      let occupied = Set(superfluous.compactMap(\.value))
      for rule in wanted where missing.contains(rule) {
        if occupied.contains(rule.value) { retagged.append(rule) } else { new.append(rule) }
      }
    }
  }
}

/// A rule to add to the filtered stream.
public struct StreamRule: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The search, such as `#swift lang:en -is:retweet`.
  public var value: String
  /// A name that posts carry to show which rule chose them.
  public var tag: String?

  /// Creates a rule.
  public init(_ value: String, tag: String? = nil) {
    self.value = value
    self.tag = tag
  }

  /// Creates a rule from a search.
  ///
  /// - Parameters:
  ///   - query: The search.
  ///   - tag: A name that posts carry to show which rule chose them.
  ///   - use: The maximum length at your access level.
  /// - Throws: `SearchQueryError`, like ``SearchQuery/text(for:)``.
  public init(
    _ query: SearchQuery, tag: String? = nil, for use: SearchQuery.Use = .streamRule
  ) throws(SearchQueryError) {
    self.init(try query.text(for: use), tag: tag)
  }

  /// Creates a rule without a tag.
  public init(stringLiteral value: String) { self.init(value) }
}

/// The change to the rules of the filtered stream; for a dry run, the change that would be made.
public struct StreamRuleChange: Sendable {
  /// The added rules with their IDs. Rules in a dry run may have none.
  public var added: [XAPI.Rule] = []
  /// The number of deleted rules. A rule for which only the tag differs is deleted and added, so it is included here.
  public var deletedCount = 0
  /// The rules that did not change, if they were examined.
  public var unchanged: [XAPI.Rule] = []
  /// The reasons why rules were not added or deleted.
  public var problems: [ProblemDetails] = []
}
