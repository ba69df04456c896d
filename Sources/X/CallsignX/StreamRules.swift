import Callsign
import XCore

extension XAPI {
  /// The rules by which the filtered stream chooses posts. They belong to the app, not to a connection, and hold for
  /// streams that are open already.
  public var streamRules: StreamRules { StreamRules(x: self) }
}

/// The rules of the filtered stream: see ``XAPI/streamRules``. They take an app's bearer token.
///
/// Source: https://docs.x.com/x-api/posts/filtered-stream/integrate/build-a-rule
public struct StreamRules: Sendable {
  let x: XAPI

  /// All rules of the app, however many pages they fill.
  ///
  /// - Throws: `CallError`.
  public func all(options: CallOptions = CallOptions()) async throws(CallError) -> [XAPI.Rule] {
    var rules: [XAPI.Rule] = []
    var token: String?
    repeat {
      let page = try await x.getRules(paginationToken: token, options: options)
      rules += page.data
      let next = page.meta?.nextToken
      // A token that comes again would never end.
      token = next == token ? nil : next
    } while token != nil
    return rules
  }

  /// Adds rules. Those that X refuses, such as one that is there already, are among ``StreamRuleChange/problems``; the
  /// others are added.
  ///
  /// - Parameters:
  ///   - rules: The rules to add; nothing is sent for none.
  ///   - dryRun: Has X check them and change nothing.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`; X responds with an error when all are refused.
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

  /// Deletes rules by their ids.
  ///
  /// - Parameters:
  ///   - ids: Which to delete; nothing is sent for none.
  ///   - dryRun: Has X check them and change nothing.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`.
  @discardableResult
  public func delete(
    ids: [String], dryRun: Bool = false, options: CallOptions = CallOptions()
  ) async throws(CallError) -> StreamRuleChange {
    guard !ids.isEmpty else { return StreamRuleChange() }
    return try await delete(XAPI.UpdateRulesDelete(ids: ids), dryRun: dryRun, options)
  }

  /// Deletes rules by their texts.
  ///
  /// - Parameters:
  ///   - values: Which to delete; nothing is sent for none.
  ///   - dryRun: Has X check them and change nothing.
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
  /// Makes these rules the only ones: adds what is missing, then deletes what is too much. Rules that are there already
  /// stay, so that the stream has no gap; a rule whose tag alone differs is deleted and added anew, since X may not take
  /// it twice.
  ///
  /// Where X refuses a rule nothing is deleted, and ``StreamRuleChange/problems`` says why; where it refuses all, the
  /// call fails.
  ///
  /// - Parameters:
  ///   - rules: The rules that are wanted; none at all deletes every rule.
  ///   - dryRun: Has X check what is new and change nothing; what would be deleted is counted, and a rule whose tag alone
  ///     differs is among ``StreamRuleChange/added`` unchecked.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError`. Calling again goes on where it failed.
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
      // X cannot be asked about these: as long as the rules with the same texts are there, it takes none of them.
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
    /// To be deleted.
    var superfluous: [XAPI.Rule] = []
    /// To be added.
    var new: [StreamRule] = []
    /// To be added once the rule with the same text is deleted.
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

/// A rule of the filtered stream, to be added.
public struct StreamRule: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The search, such as `#swift lang:en -is:retweet`.
  public var value: String
  /// A name by which posts say which rule chose them.
  public var tag: String?

  /// Describes a rule.
  public init(_ value: String, tag: String? = nil) {
    self.value = value
    self.tag = tag
  }

  /// Describes a rule by its search.
  ///
  /// - Parameters:
  ///   - query: The search.
  ///   - tag: A name by which posts say which rule chose them.
  ///   - use: How long it may be at your access level.
  /// - Throws: `SearchQueryError`, as ``SearchQuery/text(for:)`` does.
  public init(
    _ query: SearchQuery, tag: String? = nil, for use: SearchQuery.Use = .streamRule
  ) throws(SearchQueryError) {
    self.init(try query.text(for: use), tag: tag)
  }

  /// A rule without a tag.
  public init(stringLiteral value: String) { self.init(value) }
}

/// The change to the rules of the filtered stream; after a dry run, the one that would be made.
public struct StreamRuleChange: Sendable {
  /// The rules that were added, with their ids. Those that a dry run would add may have none.
  public var added: [XAPI.Rule] = []
  /// The number of rules that were deleted. A rule whose tag alone differs is deleted and added, and counts here as
  /// well.
  public var deletedCount = 0
  /// The rules that stayed as they were, where they were looked at.
  public var unchanged: [XAPI.Rule] = []
  /// The reasons why rules were not added or deleted.
  public var problems: [ProblemDetails] = []
}
