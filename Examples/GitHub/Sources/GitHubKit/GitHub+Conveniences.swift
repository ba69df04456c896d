import Callsign

/// A repository's full name, such as `swiftlang/swift`.
public struct RepositoryName: Sendable, Hashable, LosslessStringConvertible {
  /// The account that owns the repository.
  public let owner: String
  /// The repository's own name.
  public let name: String

  /// Reads `owner/name`; `nil` for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    (owner, name) = (String(parts[0]), String(parts[1]))
  }

  /// `owner/name`
  public var description: String { "\(owner)/\(name)" }
}

extension GitHub {
  /// The open issues of a repository, the newest first. GitHub's own list includes pull requests; these are left out.
  ///
  /// - Parameters:
  ///   - repository: The repository with the issues.
  ///   - labels: The labels that an issue must have, all of them. Default: none.
  ///   - limit: The maximum number of issues; pages are requested until there are enough. Default: 100.
  /// - Throws: `CallError`.
  public func openIssues(
    of repository: RepositoryName, labels: [String] = [], limit: Int = 100
  ) async throws(CallError) -> [Issue] {
    let pages = issuesPages(
      owner: repository.owner, repo: repository.name, state: .open,
      labels: labels.isEmpty ? nil : labels.joined(separator: ","), perPage: min(max(1, limit), 100))
    var found: [Issue] = []
    guard limit > 0 else { return found }
    for try await issue in pages.items where issue.pullRequest == nil {
      found.append(issue)
      if found.count == limit { break }
    }
    return found
  }

  /// Closes an issue, with a comment if there is one.
  ///
  /// - Throws: `CallError`. If the call that closes the issue fails, the comment has already been added.
  @discardableResult
  public func closeIssue(
    _ number: Int, of repository: RepositoryName, saying comment: String? = nil
  ) async throws(CallError) -> Issue {
    let (owner, name) = (repository.owner, repository.name)
    if let comment { try await self.comment(owner: owner, repo: name, number: number, body: comment) }
    return try await updateIssue(owner: owner, repo: name, number: number, state: .closed).value
  }
}

extension GitHub.IssueLabel {
  /// The label's name. GitHub sends it as a text or as an object.
  public var name: String? {
    switch self {
    case .string(let name): name
    case .issueLabelID(let label): label.name
    case .unknown: nil
    }
  }
}
