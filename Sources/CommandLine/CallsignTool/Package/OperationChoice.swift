import ArgumentParser
import CallsignCatalogue

/// The operations selected by `--operations` and `--tag`.
struct OperationChoice {
  private let operations: [String]
  private let tags: [String]

  /// - Parameters:
  ///   - operations: Names from the document or of methods, optionally separated by commas.
  ///   - tags: Tags of the document, or files of the catalogue, in the same form.
  init(operations: [String], tags: [String]) {
    self.operations = operations.flatMap(Self.list)
    self.tags = tags.flatMap(Self.list)
  }

  /// Whether nothing is selected.
  var isEmpty: Bool { operations.isEmpty && tags.isEmpty }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { word in
      String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }

  /// The catalogue's names for the selected endpoints and groups; empty if nothing is selected.
  ///
  /// - Throws: `ValidationError` that names what the catalogue does not contain.
  func names(in catalogue: Catalogue) throws -> [String] {
    var names: [String] = []
    let endpoints = catalogue.groups.flatMap(\.endpoints)
    for operation in operations {
      let found =
        endpoints.first { $0.name == operation || $0.methodName == operation }
        ?? endpoints.first { Self.letters($0.name) == Self.letters(operation) }
      guard let found else {
        throw unknown("operation", operation, among: endpoints.map(\.methodName))
      }
      names.append(found.name)
    }
    let groups = catalogue.groups.filter { !$0.endpoints.isEmpty }
    for tag in tags {
      guard let group = groups.first(where: { Self.letters($0.name) == Self.letters(tag) }) else {
        throw unknown("tag", tag, among: groups.map(\.name))
      }
      names.append(group.name)
    }
    return names
  }

  /// `Direct Messages`, `direct-messages` and `directMessages` are equal.
  private static func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  private func unknown(_ what: String, _ name: String, among known: [String]) -> ValidationError {
    var suggestions = Suggestions()
    if let slip = suggestions.closest(to: name, among: known) {
      // Tags are files of the catalogue, whose names are in lowercase.
      let words = slip.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      let meant = what == "tag" && name.first?.isUppercase == true ? words.joined(separator: " ") : slip
      return ValidationError("the document has no \(what) `\(name)`; did you mean `\(meant)`?")
    }
    let wanted = Self.letters(name)
    let near = known.filter { Self.letters($0).contains(wanted) || wanted.contains(Self.letters($0)) }
    let all = near.isEmpty ? known : near
    let shown = all.prefix(10).joined(separator: ", ") + (all.count > 10 ? ", …" : "")
    return ValidationError("the document has no \(what) `\(name)`; it has \(shown)")
  }
}
