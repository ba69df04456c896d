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
      rules += page.data ?? []
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
  ///   - rules: What to add; nothing is sent for none.
  ///   - dryRun: Has X check them and change nothing.
  ///   - options: What this call does differently from its client.
  /// - Throws: `CallError`; X answers with an error when all are refused.
  @discardableResult
  public func add(
    _ rules: [StreamRule], dryRun: Bool = false, options: CallOptions = CallOptions()
  ) async throws(CallError) -> StreamRuleChange {
    guard !rules.isEmpty else { return StreamRuleChange() }
    let answer = try await x.updateRules(
      dryRun: dryRun ? true : nil, add: rules.map { XAPI.UpdateRulesAdd(value: $0.value, tag: $0.tag) },
      options: options)
    return StreamRuleChange(added: answer.value.data ?? [], problems: answer.errors)
  }

  /// Deletes rules by their ids.
  ///
  /// - Parameters:
  ///   - ids: Which to delete; nothing is sent for none.
  ///   - dryRun: Has X check them and change nothing.
  ///   - options: What this call does differently from its client.
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
  ///   - options: What this call does differently from its client.
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
    let answer = try await x.updateRules(dryRun: dryRun ? true : nil, delete: rules, options: options)
    return StreamRuleChange(deletedCount: answer.meta?.summary?["deleted"]?.int ?? 0, problems: answer.errors)
  }
}
