import CallsignCatalogue

/// Formats changes for people and for programs.
public struct DiffReport: Sendable {
  private let changes: [Change]

  /// Creates a report about a comparison.
  public init(_ diff: CatalogueDiff) { changes = diff.changes }

  /// Lines grouped by catalogue file. `!` marks a breaking change; `+`, `-` and `~` are additions, removals and changes.
  public var text: String {
    guard !changes.isEmpty else { return "no changes" }
    var lines: [String] = []
    var group: String?
    for change in changes {
      if change.group != group {
        if group != nil { lines.append("") }
        lines.append("\(change.group).yaml")
        group = change.group
      }
      lines.append("  \(change.isBreaking ? "!" : " ") \(Self.sign(change.kind)) \(Self.text(change))")
    }
    lines.append("")
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  /// `2 breaking changes, 5 others`
  public var summary: String {
    guard !changes.isEmpty else { return "no changes" }
    let breaks = changes.filter(\.isBreaking).count
    let others = changes.count - breaks
    return "\(breaks) breaking \(breaks == 1 ? "change" : "changes"), \(others) \(others == 1 ? "other" : "others")"
  }

  /// A JSON array with one object per change: `file`, `change`, `subject`, `detail`, `breaking`.
  public var json: String {
    let quoted = DefaultValue.quoted
    let objects = changes.map { change in
      "{\"file\":\(quoted(change.group + ".yaml")),\"change\":\(quoted(change.kind.rawValue)),"
        + "\"subject\":\(quoted(change.subject)),\"detail\":\(quoted(change.detail)),"
        + "\"breaking\":\(change.isBreaking)}"
    }
    return objects.isEmpty ? "[]" : "[\n\(objects.joined(separator: ",\n"))\n]"
  }

  private static func sign(_ kind: Change.Kind) -> String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }

  private static func text(_ change: Change) -> String {
    let detail = change.detail
    return detail.isEmpty ? change.subject : "\(change.subject): \(detail)"
  }
}
