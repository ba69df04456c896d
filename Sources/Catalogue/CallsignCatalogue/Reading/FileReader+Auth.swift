import CallsignYAML

extension FileReader {
  /// Reads `[oauth1, oauth2(read, write)]`. YAML splits the list of scopes at its commas, so the pieces are joined again.
  func readAuth(_ entry: YAMLEntry) -> [AuthMark]? {
    var pieces: [Piece] = []
    var marks: [AuthMark] = []
    switch entry.value.content {
    case .list(let nodes):
      for node in nodes {
        switch node.content {
        case .scalar(let scalar) where !node.isNull: pieces += split(node, scalar)
        case .list(let together):
          guard let before = schemes(pieces), let joint = readJoint(together, in: node) else { return nil }
          marks += before
          marks.append(joint)
          pieces = []
        default:
          error("`auth` lists schemes such as `oauth1` or `oauth2(read, write)`, not \(node.kind)", at: node)
          return nil
        }
      }
      if !marks.isEmpty { return schemes(pieces).map { marks + $0 } }
    case .scalar(let scalar) where !entry.value.isNull:
      pieces = split(entry.value, scalar)
    default:
      error(
        "`auth` is a list of schemes, such as `[oauth1, oauth2(read, write)]`; `[none]` needs none", at: entry.value)
      return nil
    }
    if pieces.isEmpty {
      error("`auth` is empty; write `[none]` when the call needs no credentials", at: entry.value)
      return nil
    }
    return schemes(pieces)
  }

  /// Reads `[app_id, app_key]` within the list: both must be sent.
  private func readJoint(_ nodes: [YAMLNode], in list: YAMLNode) -> AuthMark? {
    var pieces: [Piece] = []
    for node in nodes {
      guard case .scalar(let scalar) = node.content, !node.isNull else {
        error("within `auth`, a list names schemes that must come together, not \(node.kind)", at: node)
        return nil
      }
      pieces += split(node, scalar)
    }
    guard let marks = schemes(pieces) else { return nil }
    guard var joint = marks.first, marks.count > 1 else {
      error("schemes that must come together are two or more, such as `[[app_id, app_key]]`", at: list)
      return nil
    }
    joint.others = Array(marks.dropFirst())
    joint.requirement.others = joint.others.map(\.requirement)
    return joint
  }

  /// The text between two commas.
  private struct Piece {
    var text: String
    var location: SourceLocation
  }

  private func split(_ node: YAMLNode, _ scalar: YAMLScalar) -> [Piece] {
    let locate = locator(node, scalar)
    var pieces: [Piece] = []
    var current = ""
    var start = 0
    for (index, character) in scalar.text.unicodeScalars.enumerated() {
      if character == "," {
        pieces.append(Piece(text: current, location: locate(start)))
        current = ""
      } else if !(current.isEmpty && character == " ") {
        if current.isEmpty { start = index }
        current.unicodeScalars.append(character)
      }
    }
    pieces.append(Piece(text: current, location: locate(start)))
    return pieces
  }

  private func schemes(_ pieces: [Piece]) -> [AuthMark]? {
    var marks: [AuthMark] = []
    var isInside = false
    for piece in pieces {
      var text = piece.text[...]
      var location = piece.location
      if !isInside {
        let name = text.prefix { $0 != "(" }.trimmed
        marks.append(AuthMark(requirement: AuthRequirement(scheme: name), location: location, scopes: []))
        guard let open = text.firstIndex(of: "(") else {
          if name.isEmpty || name.contains(")") || name.contains(" ") {
            error("`\(piece.text)` is not a scheme; write one such as `oauth1` or `oauth2(read, write)`", at: location)
            return nil
          }
          continue
        }
        isInside = true
        location.column += text[...open].unicodeScalars.count
        text = text[text.index(after: open)...]
      }
      if let close = text.firstIndex(of: ")") {
        guard text[text.index(after: close)...].trimmed.isEmpty else {
          error("after `)` comes a comma and the next scheme", at: piece.location)
          return nil
        }
        isInside = false
        text = text[..<close]
      }
      let scope = text.trimmed
      guard !scope.isEmpty, !scope.contains(" ") else {
        error("a scope is missing or has a space in it; write `oauth2(read, write)`", at: location)
        return nil
      }
      marks[marks.count - 1].requirement.scopes.append(scope)
      marks[marks.count - 1].scopes.append(location)
    }
    if isInside, let last = marks.last {
      error("the `(` after `\(last.requirement.scheme)` is never closed; add `)`", at: last.location)
      return nil
    }
    return marks
  }
}

extension AuthRequirement {
  /// Parses accepted credentials as written in `auth:`: `bearer`, `oauth2(read, write)`, `[app_id, app_key]`.
  ///
  /// - Returns: The credentials, or what is wrong with the words.
  package static func list(_ words: [String]) -> Result<[AuthRequirement], SourceProblem> {
    let source: SourceText
    do throws(SourceProblem) {
      source = try SourceText(file: "auth", bytes: Array("[\(words.joined(separator: ", "))]".utf8))
    } catch { return .failure(error) }
    let yaml = YAMLReader(source)
    guard let root = yaml.root, case .list = root.content else {
      return .failure(
        SourceProblem(
          "these are not words of `auth`; write some such as `bearer` or `oauth2(read)`", line: 1, column: 1)
      )
    }
    let reader = FileReader(source)
    let marks = reader.readAuth(YAMLEntry(key: root, value: root))
    if let problem = (yaml.diagnostics + reader.diagnostics).first(where: { $0.severity == .error }) {
      return .failure(SourceProblem(problem.message, line: problem.location.line, column: problem.location.column))
    }
    return .success(marks?.map(\.requirement) ?? [])
  }

  /// The words that `auth:` accepts for any API.
  package static let knownSchemes = ["oauth1", "oauth2", "bearer", "basic", "digest", "none"]
}
