import CallsignCatalogue

/// Distributes endpoints and models over files: one file for each tag, with the models that only its endpoints use, and two files
/// for shared models.
struct GroupPlacement {
  let operations: [OperationShape]
  let endpoints: [Endpoint]
  let models: [Model]
  let guide: ImportGuide
  /// The types of errors that every call can end with.
  let commonErrors: [ErrorBody]

  /// The names of files that do not belong to a tag.
  static let sharedModels = "models"
  static let sharedEnumerations = "enums"
  /// The file with the `api:` section.
  static let api = "api"

  func groups() -> [Group] {
    var groups: [Group] = []
    var positions: [String: Int] = [:]
    // `callsign.yaml` is the settings file.
    var taken: Set<String> = [Self.api, Self.sharedModels, Self.sharedEnumerations, "callsign"]
    var counter = NameCounter()
    for (operation, endpoint) in zip(operations, endpoints) {
      let position: Int
      // A catalogue has at most 2,000 files.
      let tag = positions.count < Self.maximumTags ? operation.tag : Self.manyTags
      if let known = positions[operation.tag] ?? positions[tag] {
        position = known
      } else {
        let name = Self.fileName(
          guide.overlay?.fileNames[tag]?.text ?? tag, taken: &taken, &counter)
        position = groups.count
        positions[tag] = position
        groups.append(Group(name: name, file: name + ".yaml"))
      }
      groups[position].endpoints.append(endpoint)
    }
    // The models are not in a group yet.
    var api = API(name: "", hosts: [])
    api.everyCall.errors = commonErrors
    let all = Catalogue(api: api, groups: groups + [Group(name: "", file: "", models: models)])
    let owners = all.ownersOfModels()
    var shared = Group(
      name: Self.sharedModels, file: Self.sharedModels + ".yaml", summary: "Models that several groups share.")
    var enumerations = Group(
      name: Self.sharedEnumerations, file: Self.sharedEnumerations + ".yaml",
      summary: "Values that several groups share.")
    for model in models {
      if let owner = owners[model.name] {
        groups[owner].models.append(model)
      } else if case .enumeration = model.shape {
        enumerations.models.append(model)
      } else {
        shared.models.append(model)
      }
    }
    groups.append(Group(name: Self.api, file: Self.api + ".yaml"))
    groups += [shared, enumerations].filter { !$0.models.isEmpty }
    return groups.flatMap { Self.split($0, taken: &taken, &counter) }.sorted { $0.file < $1.file }
  }

  /// The maximum number of tags with separate files. Further tags share one file.
  private static let maximumTags = 1_000
  private static let manyTags = "further"

  /// The approximate maximum number of lines in a file. A catalogue file is limited to 8 MB, and nobody reads longer ones.
  private static let maximumLines = 30_000

  /// The group, split into several if it is too large for one file.
  private static func split(_ group: Group, taken: inout Set<String>, _ counter: inout NameCounter) -> [Group] {
    var result = [group]
    (result[0].endpoints, result[0].models) = ([], [])
    var lines = 0
    func add(_ count: Int, _ change: (inout Group) -> Void) {
      lines += count
      if lines > maximumLines, lines > count {
        let name = counter.free(group.name, after: "-") { [taken] in $0 == group.name || taken.contains($0) }
        taken.insert(name)
        var next = group
        (next.name, next.file, next.endpoints, next.models) = (name, name + ".yaml", [], [])
        result.append(next)
        lines = count
      }
      change(&result[result.count - 1])
    }
    for endpoint in group.endpoints { add(8 + endpoint.parameters.count) { $0.endpoints.append(endpoint) } }
    for model in group.models { add(model.lineCount) { $0.models.append(model) } }
    return result
  }

  /// A file name that leaves room for the suffixes of generated files. File systems allow 255 bytes.
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

  /// `Direct Messages` becomes `direct-messages`.
  private static func fileName(_ tag: String, taken: inout Set<String>, _ counter: inout NameCounter) -> String {
    let words = Words(tag).list.map { $0.lowercased() }
    let base = words.isEmpty ? "other" : clipped(words.joined(separator: "-"))
    let other = base + "-endpoints"
    let name =
      taken.contains(base) && !taken.contains(other)
      ? other : counter.free(base, after: "-") { [taken] in taken.contains($0) }
    taken.insert(name)
    return name
  }
}

extension Model {
  /// The approximate number of lines in a file.
  fileprivate var lineCount: Int {
    switch shape {
    case .object(let fields, _): 2 + fields.count
    case .enumeration(let cases): 2 + cases.count
    case .union(let union): 2 + union.variants.count
    case .alias: 1
    }
  }
}
