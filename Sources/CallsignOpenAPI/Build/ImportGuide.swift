import CallsignCatalogue
import CallsignOverlay

/// The decisions of people on which an import rests, beside its options.
struct ImportGuide {
  /// The additions of people to the document.
  var overlay: CatalogueOverlay?
  /// Whether the catalogue gets what the overlay says. If not, models have the overlay's names all the same.
  var mergesOverlay = true
  /// By the operation's name.
  var adopted: [String: AdoptedText] = [:]

  /// A better name for a model than the importer's own.
  func name(for own: String) -> String? { overlay?.modelNames[own]?.text }

  /// Makes required what every answer has, though the document does not say so. Many documents mark nothing as required,
  /// and every use of such a member would have to be unwrapped.
  ///
  /// - Returns: For the members that answers have, whether the document left it open in one that they are always there.
  func requireMembersOfAnswers(in models: inout [Model], endpoints: [Endpoint]) -> [String: Bool] {
    guard mergesOverlay, let required = overlay?.requiredOfAnswers.map(\.text), !required.isEmpty else { return [:] }
    var found: [String: Bool] = [:]
    let index = Dictionary(uniqueKeysWithValues: models.indices.map { (models[$0].name, $0) })
    // A list of nothing is often left out of an answer.
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

  /// The texts of a catalogue's endpoints by name, without summaries that the importer has made.
  public static func texts(of catalogue: Catalogue) -> [String: AdoptedText] {
    var texts: [String: AdoptedText] = [:]
    for endpoint in catalogue.groups.flatMap(\.endpoints) {
      let isOwn = endpoint.details?.hasPrefix(linkPhrase) != true
      var text = AdoptedText(details: isOwn ? endpoint.details : nil, limits: endpoint.limits)
      if endpoint.summary != derivedSummary(method: endpoint.method, path: endpoint.path) {
        text.summary = endpoint.summary
      }
      if text != AdoptedText() { texts[endpoint.name] = text }
    }
    return texts
  }

  /// The beginning of what the importer says of an answer's links.
  static let linkPhrase = "The answer leads to "

  /// The summary of an operation that nobody has written one for.
  static func derivedSummary(method: String, path: String) -> String { "Calls \(method) \(path)." }
}

extension TypeReference {
  fileprivate var modelName: String? {
    if case .named(let name) = kind { name } else { nil }
  }
}
