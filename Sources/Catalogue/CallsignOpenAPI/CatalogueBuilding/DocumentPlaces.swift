import CallsignCatalogue

/// The places of a catalogue's operations and models in the document, as JSON pointers.
struct DocumentPlaces: Sendable {
  /// By the operations' names.
  private let operations: [String: String]
  /// The names of models, by the places of their schemas.
  private let models: [String: String]

  /// The places of warnings about files that the document refers to, within the document.
  private let ofFiles: [ImportWarning: String]

  init(_ operations: [OperationShape], models: [String: String], _ log: ImportLog) {
    self.operations = Dictionary(operations.map { ($0.name, $0.pointer) }) { first, _ in first }
    self.models = models
    ofFiles = Dictionary(
      zip(log.readableWarnings, log.warnings).filter { $0.pointer != $1.pointer }.map { ($0, $1.pointer) }
    ) { first, _ in first }
  }

  /// Those of the warnings that are not about operations and schemas of the given names, nor about paths that have no other
  /// operations.
  func warnings(
    _ all: [ImportWarning], withoutOperations removed: Set<String>, models removedModels: Set<String>
  ) -> [ImportWarning] {
    guard !removed.isEmpty || !removedModels.isEmpty else { return all }
    var isRemoved: [Substring: Bool] = [:]
    for (name, pointer) in operations {
      for place in [Self.start(of: pointer, steps: 3), Self.start(of: pointer, steps: 2)] {
        isRemoved[place] = isRemoved[place] != false && removed.contains(name)
      }
    }
    for (pointer, name) in models where removedModels.contains(name) { isRemoved[pointer[...]] = true }
    return all.filter { warning in
      isRemoved[Self.start(of: ofFiles[warning] ?? warning.pointer, steps: 3)] != true
    }
  }

  /// Those of the warnings that are not about an operation, a path or a schema of which the catalogue has nothing.
  func warnings(_ all: [ImportWarning], of catalogue: Catalogue) -> [ImportWarning] {
    let endpoints = Set(catalogue.groups.flatMap(\.endpoints).map(\.name))
    let names = Set(catalogue.groups.flatMap(\.models).map(\.name))
    var isTaken: [Substring: Bool] = [:]
    for (name, pointer) in operations {
      let isOfCatalogue = endpoints.contains(name)
      for place in [Self.start(of: pointer, steps: 3), Self.start(of: pointer, steps: 2)] {
        isTaken[place] = isTaken[place] == true || isOfCatalogue
      }
    }
    for (pointer, name) in models { isTaken[pointer[...]] = names.contains(name) }
    return all.filter { warning in
      // An operation's place, or a schema's, tells more than that of the path above it.
      let pointer = ofFiles[warning] ?? warning.pointer
      for steps in [3, 2] {
        if let isTaken = isTaken[Self.start(of: pointer, steps: steps)] { return isTaken }
      }
      return true
    }
  }

  /// The first steps of a pointer: `#/paths/~1pets/get` of what is said within.
  private static func start(of pointer: String, steps: Int) -> Substring {
    var slashes = 0
    for index in pointer.indices where pointer[index] == "/" {
      slashes += 1
      if slashes > steps { return pointer[..<index] }
    }
    return pointer[...]
  }
}
