// A missing list is read as an empty one. To distinguish them, a property is read from a copy whose slots are probes. A probe
// contains what the slot contains, and records that a missing list was read. A nested model or the models of a list or map from a
// probe also have probes as slots, so that a key path can lead through them.

extension Model {
  /// Whether a list, which reads as `[]` then, was not in the response, or was never set: `page.isMissing(\.data)`. The key path
  /// may lead through further models, and lists and maps of them.
  public func isMissing<Element>(_ list: KeyPath<Self, [Element]>) -> Bool {
    let probe = MissingListProbe()
    _ = Self(_storage: _storage.probed(by: probe))[keyPath: list]
    return probe.wasRead
  }

  /// Leaves a list out, as if it had never been set: it is not written, where an empty one would be. The key path may lead
  /// through further models, and lists and maps of them.
  public mutating func leaveOut<Element>(_ list: WritableKeyPath<Self, [Element]>) {
    var copy = Self(_storage: _storage.probed(by: MissingListProbe()))
    // An empty list that is set in place of a probe is a missing one.
    copy[keyPath: list] = []
    self = Self(_storage: copy._storage.withoutProbes(insteadOf: _storage))
  }
}

extension ModelStorage {
  /// The same members behind probes. Only those that may be lists or lead to some have one.
  func probed(by probe: MissingListProbe) -> ModelStorage {
    mapSlots { _, slot in
      switch slot {
      case .absent, .model, .value: .probe(slot, probe)
      case .null, .string, .int, .number, .bool, .date, .probe: slot
      }
    }
  }

  /// The members themselves. A value that is not a probe replaced one, and may have been changed inside.
  ///
  /// - Parameter original: The members before they were probed. A model that was missing, and got no member, stays missing.
  func withoutProbes(insteadOf original: ModelStorage? = nil) -> ModelStorage {
    mapSlots { index, slot in
      switch slot {
      case .probe(let content, _): return content
      case .model(let storage):
        guard let original else { return .model(storage.withoutProbes()) }
        if case .model(let before) = original[index] { return .model(storage.withoutProbes(insteadOf: before)) }
        let model = storage.withoutProbes(insteadOf: ModelStorage(count: storage.count))
        return model.hasMember ? .model(model) : original[index]
      case .value(let box):
        let models = box.reflected as? any ModelContainer
        return .value(models?.box { $0.withoutProbes() } ?? box)
      case .absent, .null, .string, .int, .number, .bool, .date: return slot
      }
    }
  }
}

/// A list or map, or something in one that may be null, recognized at run time.
private protocol ModelContainer {
  /// The same with each model in it changed, however deep it lies in further ones.
  func mapModels(_ change: (ModelStorage) -> ModelStorage) -> Self
}

extension ModelContainer {
  fileprivate func box(_ change: (ModelStorage) -> ModelStorage) -> ModelBox { ValueBox(mapModels(change)) }

  fileprivate static func change<Value>(_ value: Value, _ change: (ModelStorage) -> ModelStorage) -> Value {
    switch value {
    case let model as any Model: type(of: model).init(_storage: change(model._storage)) as? Value ?? value
    case let models as any ModelContainer: models.mapModels(change) as? Value ?? value
    default: value
    }
  }

  /// Whether values of a type may be models or contain some.
  fileprivate static func holdsModels<Value>(_: Value.Type) -> Bool {
    Value.self is any Model.Type || Value.self is any ModelContainer.Type
  }
}

extension Array: ModelContainer {
  fileprivate func mapModels(_ change: (ModelStorage) -> ModelStorage) -> Self {
    Self.holdsModels(Element.self) ? map { Self.change($0, change) } : self
  }
}

extension Dictionary: ModelContainer {
  fileprivate func mapModels(_ change: (ModelStorage) -> ModelStorage) -> Self {
    Self.holdsModels(Value.self) ? mapValues { Self.change($0, change) } : self
  }
}

extension Nullable: ModelContainer {
  fileprivate func mapModels(_ change: (ModelStorage) -> ModelStorage) -> Self {
    Self.holdsModels(Value.self) ? map { Self.change($0, change) } : self
  }
}

extension MissingListProbe {
  /// The models of a list or map with probes as slots; another value stays unchanged.
  func probe<Value>(_ value: Value) -> Value {
    (value as? any ModelContainer)?.mapModels { $0.probed(by: self) } as? Value ?? value
  }
}
