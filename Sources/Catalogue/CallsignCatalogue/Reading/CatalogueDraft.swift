import CallsignYAML

/// A catalogue while it is being read: the model so far, and the locations that only the checks need.
struct CatalogueDraft {
  struct GroupDraft {
    var group: Group
    var marks: [EndpointMarks] = []
    var auth: [AuthMark]?
    var host: (name: String, location: SourceLocation)?
    var documentation: String?
    var limits: [RateLimit] = []
  }

  /// The API, with the locations of its default schemes and of its name.
  var apis: [(api: API, auth: [AuthMark], name: SourceLocation)] = []
  var groups: [GroupDraft] = []
  var memberEnums: [MemberEnum] = []
  var diagnostics: [Diagnostic] = []
  /// Warnings about mixins and templates that nothing uses.
  var unused: [Diagnostic] = []
  /// Whether a file could not be read at all, so that its declarations are unknown.
  var isIncomplete = false

  mutating func add(_ files: [CatalogueSource]) {
    var trees: [(source: SourceText, root: YAMLNode?)] = []
    for file in files {
      do throws(SourceProblem) {
        let source = try SourceText(file: file.path, bytes: file.bytes)
        let yaml = YAMLReader(source)
        diagnostics += yaml.diagnostics
        if yaml.root == nil, yaml.diagnostics.hasErrors { isIncomplete = true }
        trees.append((source, yaml.root?.withLongForms()))
      } catch {
        isIncomplete = true
        let location = SourceLocation(file: file.path, line: error.line, column: error.column)
        diagnostics.append(Diagnostic(.error, error.message, at: location))
      }
    }
    add(trees)
  }

  /// Reads the trees of all files. They may contain nodes from other texts, numbered 1, 2, …
  mutating func add(_ trees: [(source: SourceText, root: YAMLNode?)], after others: [SourceText] = []) {
    let parts = ReusableParts(after: others)
    diagnostics += parts.collect(trees)
    for (source, root) in trees {
      let reader = FileReader(source, others: parts.sources, parts: parts)
      reader.read(root, into: &self)
      diagnostics += reader.diagnostics
    }
    // Mistakes in a mixin or in a shared name are found at each use.
    guard !parts.sources.isEmpty else { return }
    unused = parts.unused()
    var seen: Set<Diagnostic> = []
    diagnostics = diagnostics.filter { seen.insert($0).inserted }
  }

  /// Fills in the values of enums that list a model's members, after all models have been read.
  mutating func resolveMembers() {
    guard !memberEnums.isEmpty else { return }
    var places: [String: (group: Int, model: Int)] = [:]
    for (group, draft) in groups.enumerated() {
      for (index, model) in draft.group.models.enumerated() where places[model.name] == nil {
        places[model.name] = (group, index)
      }
    }
    var suggestions = Suggestions()
    for use in memberEnums {
      guard let own = places[use.name] else { continue }
      guard let place = places[use.model] else {
        if isIncomplete { continue }
        let advice =
          suggestions.clause(for: use.model, among: Array(places.keys)) ?? "; name one that is an object"
        diagnostics.append(Diagnostic(.error, "unknown model `\(use.model)`\(advice)", at: use.location))
        continue
      }
      guard case .object(let fields, _) = groups[place.group].group.models[place.model].shape else {
        diagnostics.append(
          Diagnostic(.error, "`\(use.model)` has no fields; name a model that is an object", at: use.location))
        continue
      }
      let names = fields.map(\.name)
      for (exception, location) in use.exceptions where !names.contains(exception) {
        let advice = suggestions.clause(for: exception, among: names) ?? "; remove it"
        diagnostics.append(
          Diagnostic(.error, "`\(use.model)` has no field `\(exception)`\(advice)", at: location))
      }
      let exceptions = Set(use.exceptions.map(\.name))
      groups[own.group].group.models[own.model].shape = .enumeration(
        names.filter { !exceptions.contains($0) }.map { EnumCase(value: $0, location: use.location) })
    }
  }

  /// Fills in what an endpoint takes from its group, and the group from the API.
  mutating func resolveDefaults() {
    let apiAuth = apis.first?.api.defaultAuth
    for groupIndex in groups.indices {
      let auth = groups[groupIndex].auth?.map(\.requirement) ?? apiAuth
      for index in groups[groupIndex].group.endpoints.indices {
        if groups[groupIndex].marks[index].auth == nil {
          groups[groupIndex].group.endpoints[index].auth = auth ?? []
        }
        if groups[groupIndex].group.endpoints[index].host == nil {
          groups[groupIndex].group.endpoints[index].host = groups[groupIndex].host?.name
        }
        let given = groups[groupIndex].marks[index].values
        if given[.docs] == nil {
          groups[groupIndex].group.endpoints[index].documentation = groups[groupIndex].documentation
        }
        if given[.limits] == nil { groups[groupIndex].group.endpoints[index].limits = groups[groupIndex].limits }
      }
    }
  }
}

/// An enum whose values are the names of a model's fields.
struct MemberEnum {
  /// The enum's own name.
  var name: String
  /// The model with the fields.
  var model: String
  var location: SourceLocation
  /// The fields to leave out.
  var exceptions: [(name: String, location: SourceLocation)] = []
}

/// The locations of those parts of an endpoint that the model does not store.
struct EndpointMarks {
  /// The method and path.
  var call: SourceLocation
  /// The placeholders `{name}` in the path, in order.
  var placeholders: [(name: String, location: SourceLocation)] = []
  /// `nil` if the endpoint has no `auth:` key.
  var auth: [AuthMark]?
  /// The locations of the values of the given keys.
  var values = Keyed<EndpointKey, SourceLocation>()
  /// The locations of the values in `pages:`.
  var pages = Keyed<PagesKey, SourceLocation>()
  /// The locations of the values in `poll:` and in its `with`.
  var poll = Keyed<PollKey, SourceLocation>()
  var pollArguments: [String: SourceLocation] = [:]
  /// The locations of the names in rules, in the order of the endpoint's rules.
  var ruleNames: [[SourceLocation]] = []
  /// The locations of the values in the long form of `stream:`.
  var stream = Keyed<StreamKey, SourceLocation>()
  /// For each parameter, whether it sets its place.
  var parameters: [ParameterMarks] = []
}

struct ParameterMarks {
  var place: SourceLocation?
  /// The text of a constant.
  var value: SourceLocation?
  var fallback: SourceLocation?
  var list: SourceLocation?
  var object: SourceLocation?
  var reserved: SourceLocation?
  var name: SourceLocation?
  var wire: SourceLocation?
}

/// An accepted scheme with its locations.
struct AuthMark {
  var requirement: AuthRequirement
  var location: SourceLocation
  var scopes: [SourceLocation]
  /// The credentials that must be sent with it.
  var others: [AuthMark] = []
}

/// The text of a catalogue file, from any source.
public struct CatalogueSource: Sendable {
  /// The file name used in diagnostics. Its last component without the extension is the name of the group.
  public var path: String
  /// The text in UTF-8.
  public var bytes: [UInt8]

  /// Creates a source from a file's unmodified bytes.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
