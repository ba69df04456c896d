import CallsignCatalogue
import CallsignGenerator

import enum CallsignJSON.JSONValue

/// A model of an API without operations, for a package's README and test, with invented JSON.
struct SampleModel {
  /// `Hooks.Event`
  let type: String
  /// `event`
  let variable: String
  let json: JSONValue
  /// A property of the model, and its value as Swift source.
  let property: (name: String, value: String)?

  /// Chooses an object that is not a part of another one, as deliveries are not; `nil` if the catalogue has no object.
  init?(_ catalogue: Catalogue) {
    let models = catalogue.groups.flatMap(\.models)
    let values = SampleValues(catalogue)
    let parts = Set(models.flatMap { $0.shape.types.flatMap(\.modelNames) })
    let objects = models.filter { if case .object = $0.shape { true } else { false } }
    for model in objects.filter({ !parts.contains($0.name) }) + objects {
      guard case .object(let fields, _) = model.shape,
        let json = values.json(TypeReference(.named(model.name)), named: "item")
      else { continue }
      type = "\(SwiftName.escaped(catalogue.api.name)).\(SwiftName.escaped(model.typeName))"
      let name = SwiftName.member(model.typeName)
      variable = name == catalogue.api.name || name == "json" ? "value" : SwiftName.escaped(name)
      self.json = json
      property = fields.lazy.compactMap { SampleCall.property($0, json, values) }.first
      return
    }
    return nil
  }
}

extension TypeReference {
  /// The model that the type refers to, or that its elements or values refer to.
  fileprivate var modelNames: [String] {
    switch kind {
    case .scalar: []
    case .named(let name): [name]
    case .list(let element), .map(let element): element.modelNames
    }
  }
}
