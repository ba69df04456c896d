import CallsignCatalogue

/// The human decisions behind an import, in addition to its options.
struct ImportGuide {
  /// The human additions to the document.
  var overlay: CatalogueOverlay?
  /// Whether the overlay is merged into the catalogue. If not, models have the overlay's names nevertheless.
  var mergesOverlay = true
  /// The adopted texts of operations, by name.
  var adopted: [String: AdoptedText] = [:]
  /// The adopted summaries of everything except operations.
  var summaries = AdoptedSummaries()

  /// A better name for a model than the importer's name.
  func name(for own: String) -> String? { overlay?.modelNames[own]?.text }

  /// Marks as required every member that all responses have, although the document does not say so. Many documents mark nothing as
  /// required, so you would have to unwrap every such member.
  ///
  /// - Returns: For each such member, whether the document did not require it in at least one response.
  func requireMembersOfResponses(in models: inout [Model], endpoints: [Endpoint]) -> [String: Bool] {
    guard mergesOverlay, let required = overlay?.requiredOfResponses.map(\.text), !required.isEmpty else { return [:] }
    var found: [String: Bool] = [:]
    let index = Dictionary(uniqueKeysWithValues: models.indices.map { (models[$0].name, $0) })
    // Responses often leave out empty lists.
    let objects = Set(models.filter { if case .object = $0.shape { true } else { false } }.map(\.name))
    for position in Set(endpoints.compactMap(\.returns?.modelName)).compactMap({ index[$0] }) {
      guard case .object(var fields, let extra) = models[position].shape else { continue }
      for field in fields.indices where required.contains(fields[field].name) {
        guard fields[field].type.modelName.map(objects.contains) == true else { continue }
        found[fields[field].name, default: false] = fields[field].type.isOptional || found[fields[field].name] == true
        fields[field].type.isOptional = false
      }
      models[position].shape = .object(fields: fields, extra: extra)
    }
    return found
  }
}

/// The texts that people wrote into the files of an earlier import, if there is no overlay to keep them in.
public struct AdoptedText: Sendable, Equatable {
  var summary: String?
  var details: String?
  var limits: [RateLimit] = []
  /// The summaries of its parameters, by name.
  var parameters: [String: String] = [:]

  /// The texts of a catalogue's endpoints by name, without summaries that the importer wrote.
  public static func texts(of catalogue: Catalogue) -> [String: AdoptedText] {
    var texts: [String: AdoptedText] = [:]
    for endpoint in catalogue.groups.flatMap(\.endpoints) {
      let isOwn = endpoint.details?.hasPrefix(linkPhrase) != true
      var text = AdoptedText(details: isOwn ? endpoint.details : nil, limits: endpoint.limits)
      for parameter in endpoint.parameters { text.parameters[parameter.name] = parameter.summary }
      if endpoint.summary != derivedSummary(method: endpoint.method, path: endpoint.path) {
        text.summary = endpoint.summary
      }
      if text != AdoptedText() { texts[endpoint.name] = text }
    }
    return texts
  }

  /// The beginning of the importer's sentence about a response's links.
  static let linkPhrase = "The response leads to "

  /// The summary of an operation for which nobody has written one.
  static func derivedSummary(method: String, path: String) -> String { "Calls \(method) \(path)." }
}

/// The summaries that people wrote into the files of an earlier import, other than the texts of its operations. The importer never
/// writes such summaries itself.
public struct AdoptedSummaries: Sendable, Equatable {
  /// The summaries of a model.
  struct OfModel: Sendable, Equatable {
    /// The summary of the model itself.
    var own: String?
    /// The summaries by the names of an object's fields, or by the values of an enum.
    var members: [String: String] = [:]
  }

  /// The summary of the API.
  private(set) var api: String?
  /// The summaries of groups, by name.
  private(set) var groups: [String: String] = [:]
  /// The summaries of models, by name.
  private(set) var models: [String: OfModel] = [:]

  /// Creates an empty set of summaries.
  public init() {}

  /// Collects the summaries of a catalogue.
  public init(of catalogue: Catalogue) {
    api = catalogue.api.summary
    for group in catalogue.groups {
      groups[group.name] = group.summary
      for model in group.models {
        var summaries = OfModel(own: model.summary)
        switch model.shape {
        case .object(let fields, _): for field in fields { summaries.members[field.name] = field.summary }
        case .enumeration(let cases): for entry in cases { summaries.members[entry.value] = entry.summary }
        case .union, .alias: break
        }
        if summaries != OfModel() { models[model.name] = summaries }
      }
    }
  }

  /// The number of models with summaries.
  public var modelCount: Int { models.count }

  /// Adds the summaries to a model. Existing summaries stay.
  func describe(_ model: inout Model) {
    guard let summaries = models[model.name] else { return }
    // Summaries written by people take precedence over the document's.
    model.summary = summaries.own ?? model.summary
    switch model.shape {
    case .object(var fields, let extra):
      for index in fields.indices {
        fields[index].summary = summaries.members[fields[index].name] ?? fields[index].summary
      }
      model.shape = .object(fields: fields, extra: extra)
    case .enumeration(var cases):
      for index in cases.indices {
        cases[index].summary = summaries.members[cases[index].value] ?? cases[index].summary
      }
      model.shape = .enumeration(cases)
    case .union, .alias: break
    }
  }
}

extension TypeReference {
  fileprivate var modelName: String? {
    if case .named(let name) = kind { name } else { nil }
  }
}
