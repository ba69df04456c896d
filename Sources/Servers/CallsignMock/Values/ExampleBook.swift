import CallsignCatalogue
import CallsignJSON
import Foundation

/// The examples from an API's own document, by operation, model and member, and which members every response has. The seed decides
/// which of several examples to use.
struct ExampleBook: Sendable {
  private var responses: [String: [JSONValue]] = [:]
  private var models: [String: [JSONValue]] = [:]
  private var fields: [String: [String: [JSONValue]]] = [:]
  private var present: [String: Set<String>] = [:]

  /// Takes a catalogue's examples; none if the text is not JSON.
  ///
  /// - Parameter hasValues: Whether to use the example values, in addition to which members every response has.
  init(_ examples: CatalogueExamples?, hasValues: Bool = true) {
    guard let examples, let root = try? JSONValue(jsonData: Data(examples.json)) else { return }
    present = (root["present"]?.object ?? [:]).mapValues { Set(($0.array ?? []).compactMap(\.string)) }
    guard hasValues else { return }
    responses = Self.lists(root["responses"])
    models = Self.lists(root["models"])
    fields = (root["fields"]?.object ?? [:]).mapValues(Self.lists)
  }

  private static func lists(_ value: JSONValue?) -> [String: [JSONValue]] {
    (value?.object ?? [:]).mapValues { value in
      (value.array ?? []).flatMap { example -> [JSONValue] in
        // A null example would mean that there is nothing.
        if example.isNull { return [] }
        // Some documents contain the response as text.
        guard let text = example.string, let first = text.utf8.first, "{[".utf8.contains(first),
          let read = try? JSONValue(jsonString: text)
        else { return [example] }
        return [example, read]
      }
    }
  }

  /// An example of an operation's response, adapted by the closure.
  func response(of operation: String, _ seed: Seed, _ fitted: (JSONValue) -> JSONValue?) -> JSONValue? {
    Self.pick(responses[operation], seed, fitted)
  }

  /// The members of an example for a model.
  func model(_ name: String, _ seed: Seed) -> [String: JSONValue]? {
    Self.pick(models[name], seed) { $0.object?.isEmpty == false ? $0 : Optional.none }?.object
  }

  /// An example for a model's member, adapted by the closure.
  func field(_ name: String, of model: String, _ seed: Seed, _ fitted: (JSONValue) -> JSONValue?) -> JSONValue? {
    Self.pick(fields[model]?[name], seed, fitted)
  }

  /// Whether every response has the member of a model, possibly as null.
  func isPresent(_ name: String, of model: String) -> Bool { present[model]?.contains(name) ?? false }

  private static func pick(
    _ values: [JSONValue]?, _ seed: Seed, _ fitted: (JSONValue) -> JSONValue?
  ) -> JSONValue? {
    guard let values, !values.isEmpty else { return nil }
    var generator = seed.derived("example").generator
    let begin = Int.random(in: values.indices, using: &generator)
    return (values[begin...] + values[..<begin]).lazy.compactMap(fitted).first
  }
}

extension ValueGenerator {
  /// An example without the members that its type does not have, which are common in documents; `nil` if the rest is not a value of
  /// the type.
  func fitted(_ value: JSONValue, _ type: TypeReference) -> JSONValue? {
    let known = known(value, type, depth: 0)
    // A plain `nil` would be JSON's null.
    return acceptsGiven(known, type) ? known : Optional.none
  }

  /// A value from a request in the form of a response, without members that are only sent; `nil` if it has other members that the
  /// response's type lacks.
  func accepted(_ given: JSONValue, _ type: TypeReference) -> JSONValue? {
    acceptsGiven(given, type) ? known(given, type, depth: 0) : Optional.none
  }

  private func known(_ value: JSONValue, _ type: TypeReference, depth: Int) -> JSONValue {
    guard depth < 64 else { return value }
    switch (types.resolve(type).kind, value) {
    case (.object(_, let fields, let extra), .object(let members)):
      var kept: [String: JSONValue] = [:]
      for (name, member) in members {
        if let field = fields.first(where: { $0.name == name }) {
          if !field.isWriteOnly { kept[name] = known(member, field.type, depth: depth + 1) }
        } else if let extra {
          kept[name] = known(member, extra, depth: depth + 1)
        }
      }
      return .object(kept)
    case (.list(let element), .array(let values)):
      return .array(values.map { known($0, element, depth: depth + 1) })
    case (.map(let element), .object(let members)):
      return .object(members.mapValues { known($0, element, depth: depth + 1) })
    case (.union(_, let union), _):
      let variant = union.variants.first { variant in
        guard let tag = union.tag else { return accepts(value, variant.type) }
        return value[tag].flatMap { ParameterText.plain($0) }.map(variant.tags.contains) ?? false
      }
      return variant.map { known(value, $0.type, depth: depth + 1) } ?? value
    default: return value
    }
  }
}
