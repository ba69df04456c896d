extension StreamRules {
  /// Makes these rules the only ones: adds what is missing, then deletes what is too much. Rules that are there already
  /// stay, so that the stream has no gap; a rule whose tag alone differs is deleted and added anew, since X may not take
  /// it twice.
  ///
  /// Where X refuses a rule nothing is deleted, and ``StreamRuleChange/problems`` says why; where it refuses all, the
  /// call fails.
  ///
  /// - Parameters:
  ///   - rules: What is wanted; none at all deletes every rule.
  ///   - dryRun: Has X check what is new and change nothing; what would be deleted is counted.
  ///   - options: What these calls do differently from their client.
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

  /// What it takes to get from one set of rules to another.
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
