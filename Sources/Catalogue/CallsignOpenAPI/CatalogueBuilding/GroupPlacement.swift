import CallsignCatalogue

/// Decides which file has what: a file for each tag with the models that only its endpoints use, and two files for
/// the models that several of them share.
struct GroupPlacement {
  let operations: [OperationShape]
  let endpoints: [Endpoint]
  let models: [Model]
  let guide: ImportGuide
  /// Types of errors that every call may end with.
  let commonErrors: [ErrorBody]

  /// Files that are not a tag's.
  static let sharedModels = "models"
  static let sharedEnumerations = "enums"
  /// The file with the `api:` section.
  static let api = "api"

  func groups() -> [Group] {
    var groups: [Group] = []
    var positions: [String: Int] = [:]
    // `callsign.yaml` holds settings.
    var taken: Set<String> = [Self.api, Self.sharedModels, Self.sharedEnumerations, "callsign"]
    for (operation, endpoint) in zip(operations, endpoints) {
      let position: Int
      if let known = positions[operation.tag] {
        position = known
      } else {
        let name = Self.fileName(guide.overlay?.fileNames[operation.tag]?.text ?? operation.tag, taken: &taken)
        position = groups.count
        positions[operation.tag] = position
        groups.append(Group(name: name, file: name + ".yaml"))
      }
      groups[position].endpoints.append(endpoint)
    }
    // The models are in no group yet.
    var api = API(name: "", hosts: [])
    api.everyCall.errors = commonErrors
    let all = Catalogue(api: api, groups: groups + [Group(name: "", file: "", models: models)])
    let owners = all.groupsByModel()
    var shared = Group(
      name: Self.sharedModels, file: Self.sharedModels + ".yaml", summary: "Models that several groups share.")
    var enumerations = Group(
      name: Self.sharedEnumerations, file: Self.sharedEnumerations + ".yaml",
      summary: "Values that several groups share.")
    for model in models {
      if let reached = owners[model.name], reached.count == 1, let owner = reached.first ?? nil {
        groups[owner].models.append(model)
      } else if case .enumeration = model.shape {
        enumerations.models.append(model)
      } else {
        shared.models.append(model)
      }
    }
    groups.append(Group(name: Self.api, file: Self.api + ".yaml"))
    groups += [shared, enumerations].filter { !$0.models.isEmpty }
    return groups.sorted { $0.file < $1.file }
  }

  /// A file's name that leaves room for what generated files add to it: file systems take 255 bytes.
  private static func clipped(_ name: String) -> String {
    guard name.utf8.count > 120 else { return name }
    var (clipped, count) = ("", 0)
    for character in name {
      count += character.utf8.count
      if count > 120 { break }
      clipped.append(character)
    }
    return clipped
  }

  /// `Direct Messages` is in `direct-messages`.
  private static func fileName(_ tag: String, taken: inout Set<String>) -> String {
    let words = Words(tag).list.map { $0.lowercased() }
    let base = words.isEmpty ? "other" : clipped(words.joined(separator: "-"))
    let other = base + "-endpoints"
    let name =
      taken.contains(base) && !taken.contains(other) ? other : base.counted(after: "-") { taken.contains($0) }
    taken.insert(name)
    return name
  }
}
