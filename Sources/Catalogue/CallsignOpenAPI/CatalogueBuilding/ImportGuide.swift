import CallsignCatalogue

/// The decisions of people on which an import rests, beside its options.
struct ImportGuide {
  /// The additions of people to the document.
  var overlay: CatalogueOverlay?
  /// Whether the catalogue gets what the overlay says. If not, models have the overlay's names all the same.
  var mergesOverlay = true
  /// By the operation's name.
  var adopted: [String: AdoptedText] = [:]
  /// Of all but the operations.
  var summaries = AdoptedSummaries()

  /// A better name for a model than the importer's own.
  func name(for own: String) -> String? { overlay?.modelNames[own]?.text }

  /// Makes required what every response has, though the document does not say so. Many documents mark nothing as required,
  /// and every use of such a member would have to be unwrapped.
  ///
  /// - Returns: For the members that responses have, whether the document left it open in one that they are always there.
  func requireMembersOfResponses(in models: inout [Model], endpoints: [Endpoint]) -> [String: Bool] {
    guard mergesOverlay, let required = overlay?.requiredOfResponses.map(\.text), !required.isEmpty else { return [:] }
    var found: [String: Bool] = [:]
    let index = Dictionary(uniqueKeysWithValues: models.indices.map { (models[$0].name, $0) })
    // A list of nothing is often left out of a response.
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

/// The facts that people wrote into the files of an earlier import, where there is no overlay to keep it in.
public struct AdoptedText: Sendable, Equatable {
  var summary: String?
  var details: String?
  var limits: [RateLimit] = []
  /// The summaries of its parameters, by their names.
  var parameters: [String: String] = [:]

  /// The texts of a catalogue's endpoints by name, without summaries that the importer has made.
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

  /// The beginning of what the importer says of a response's links.
  static let linkPhrase = "The response leads to "

  /// The summary of an operation that nobody has written one for.
  static func derivedSummary(method: String, path: String) -> String { "Calls \(method) \(path)." }
}

/// The summaries that people wrote into the files of an earlier import, beside the texts of its operations. The importer
/// itself makes none of these.
public struct AdoptedSummaries: Sendable, Equatable {
  /// Those of a model.
  struct OfModel: Sendable, Equatable {
    /// The model's own.
    var own: String?
    /// By the names of an object's fields, or by the values of an enum.
    var members: [String: String] = [:]
  }

  /// The API's own.
  private(set) var api: String?
  /// By the names of the groups.
  private(set) var groups: [String: String] = [:]
  /// By the names of the models.
  private(set) var models: [String: OfModel] = [:]

  /// None.
  public init() {}

  /// Those of a catalogue.
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

  /// The number of models that have some.
  public var modelCount: Int { models.count }

  /// Gives a model its summaries. Those that it has already stay.
  func describe(_ model: inout Model) {
    guard let summaries = models[model.name] else { return }
    // People's own come before the document's.
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
