// A missing list is read as an empty one. To distinguish them, a property is read from a copy whose slots are probes. A probe
// contains what the slot contains, and records that a missing list was read. A nested model or the models of a list from a probe
// also have probes as slots, so that a key path can lead through them.

extension Model {
  /// Whether a list, which reads as `[]` then, was not in the response, or was never set: `page.isMissing(\.data)`. The key path
  /// may lead through further models and lists of them.
  public func isMissing<Element>(_ list: KeyPath<Self, [Element]>) -> Bool {
    let probe = MissingListProbe()
    _ = Self(_storage: _storage.probed(by: probe))[keyPath: list]
    return probe.wasRead
  }

  /// Leaves a list out, as if it had never been set: it is not written, where an empty one would be. The key path may lead
  /// through further models and lists of them.
  public mutating func leaveOut<Element>(_ list: WritableKeyPath<Self, [Element]>) {
    var copy = Self(_storage: _storage.probed(by: MissingListProbe()))
    // An empty list that is set in place of a probe is a missing one.
    copy[keyPath: list] = []
    self = Self(_storage: copy._storage.withoutProbes)
  }
}

extension ModelStorage {
  /// The same members behind probes. Only those that may be lists or lead to some have one.
  func probed(by probe: MissingListProbe) -> ModelStorage {
    mapSlots { slot in
      switch slot {
      case .absent, .model, .value: .probe(slot, probe)
      case .null, .string, .int, .number, .bool, .date, .probe: slot
      }
    }
  }

  /// The members themselves. A value that is not a probe replaced one, and may have been changed inside.
  var withoutProbes: ModelStorage {
    mapSlots { slot in
      switch slot {
      case .probe(let content, _): content
      case .model(let storage): .model(storage.withoutProbes)
      case .value(let box): .value((box.reflected as? any ModelList)?.withoutProbes ?? box)
      case .absent, .null, .string, .int, .number, .bool, .date: slot
      }
    }
  }
}

/// An array of models, recognized at run time.
private protocol ModelList {
  func probed(by probe: MissingListProbe) -> Any
  var withoutProbes: ModelBox { get }
}

extension Array: ModelList where Element: Model {
  fileprivate func probed(by probe: MissingListProbe) -> Any {
    map { Element(_storage: $0._storage.probed(by: probe)) }
  }

  fileprivate var withoutProbes: ModelBox { ValueBox(map { Element(_storage: $0._storage.withoutProbes) }) }
}

extension MissingListProbe {
  /// The models of a list with probes as slots; another value stays unchanged.
  func probe<Value>(_ value: Value) -> Value { (value as? any ModelList)?.probed(by: self) as? Value ?? value }
}
