import CallsignCatalogue
import CallsignJSON
import Foundation

/// The examples of an API's own document, by operation, model and member. Which of several is taken follows from the seed.
struct ExampleBook: Sendable {
  private var answers: [String: [JSONValue]] = [:]
  private var models: [String: [JSONValue]] = [:]
  private var fields: [String: [String: [JSONValue]]] = [:]

  /// Takes a catalogue's examples; of a text that is no JSON, none.
  init(_ examples: CatalogueExamples?) {
    guard let examples, let root = try? JSONValue(jsonData: Data(examples.json)) else { return }
    answers = Self.lists(root["answers"])
    models = Self.lists(root["models"])
    fields = (root["fields"]?.object ?? [:]).mapValues(Self.lists)
  }

  private static func lists(_ value: JSONValue?) -> [String: [JSONValue]] {
    (value?.object ?? [:]).mapValues { value in
      (value.array ?? []).flatMap { example -> [JSONValue] in
        // Some documents have the text of the answer.
        guard let text = example.string, let first = text.utf8.first, "{[".utf8.contains(first),
          let read = try? JSONValue(jsonString: text)
        else { return [example] }
        return [example, read]
      }
    }
  }

  /// An example of an operation's answer that the closure accepts.
  func answer(of operation: String, _ seed: Seed, _ accepts: (JSONValue) -> Bool) -> JSONValue? {
    Self.pick(answers[operation], seed, accepts)
  }

  /// The members of an example of a model.
  func model(_ name: String, _ seed: Seed) -> [String: JSONValue]? {
    Self.pick(models[name], seed) { $0.object?.isEmpty == false }?.object
  }

  /// An example of a model's member that the closure accepts.
  func field(_ name: String, of model: String, _ seed: Seed, _ accepts: (JSONValue) -> Bool) -> JSONValue? {
    Self.pick(fields[model]?[name], seed, accepts)
  }

  private static func pick(_ values: [JSONValue]?, _ seed: Seed, _ accepts: (JSONValue) -> Bool) -> JSONValue? {
    guard let values, !values.isEmpty else { return nil }
    var generator = seed.derived("example").generator
    let begin = Int.random(in: values.indices, using: &generator)
    return (values[begin...] + values[..<begin]).first(where: accepts)
  }
}
