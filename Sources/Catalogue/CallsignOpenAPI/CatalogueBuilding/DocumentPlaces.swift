import CallsignCatalogue

/// The places of a catalogue's operations and models in the document, as JSON pointers.
struct DocumentPlaces: Sendable {
  /// The places of operations, by name.
  private let operations: [String: String]
  /// The names of models, by the places of their schemas.
  private let models: [String: String]

  /// The places, within the document, of warnings about files that the document refers to.
  private let ofFiles: [ImportWarning: String]

  /// The places that references lead to, by the place of the operation or of a shared part of the document.
  private let references: [Substring: [Substring]]

  init(_ operations: [OperationShape], models: [String: String], _ document: OpenAPIDocument, _ log: ImportLog) {
    references = Self.references(operations, document)
    self.operations = Dictionary(operations.map { ($0.name, $0.pointer) }) { first, _ in first }
    self.models = models
    ofFiles = Dictionary(
      zip(log.readableWarnings, log.warnings).filter { $0.pointer != $1.pointer }.map { ($0, $1.pointer) }
    ) { first, _ in first }
  }

  /// The warnings, without those about operations and schemas with the given names, and without those about paths that have no
  /// other operations.
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

  private static func references(
    _ operations: [OperationShape], _ document: OpenAPIDocument
  ) -> [Substring: [Substring]] {
    var result: [Substring: [Substring]] = [:]
    for operation in operations {
      var found: Set<Substring> = []
      let item = operation.pointer.lastIndex(of: "/").map { String(operation.pointer[..<$0]) } ?? "#"
      for place in [operation.pointer, item + "/parameters"] {
        if let value = try? document.value(at: place, referredFrom: place) { collect(from: value, into: &found) }
      }
      found.insert(part(operation.pointer))
      result[operation.pointer[...]] = Array(found)
    }
    for section in document.root["components"]?.object?.members ?? [] {
      for member in section.value.object?.members ?? [] {
        var found: Set<Substring> = []
        collect(from: member.value, into: &found)
        result[Pointer.child(Pointer.child("#/components", section.key), member.key)[...]] = Array(found)
      }
    }
    for file in document.root["x-files"]?.object?.members ?? [] {
      var found: Set<Substring> = []
      collect(from: file.value, into: &found)
      result[Pointer.child("#/x-files", file.key)[...]] = Array(found)
    }
    return result
  }

  private static func collect(from value: DocumentValue, into found: inout Set<Substring>) {
    switch value {
    case .list(let list): for element in list { collect(from: element, into: &found) }
    case .object(let object):
      for member in object.members {
        if case .string(let text) = member.value, text.hasPrefix("#/") {
          found.insert(part(text))
        } else {
          collect(from: member.value, into: &found)
        }
      }
    default: break
    }
  }

  /// The part of a document that contains a place: a schema, a shared parameter, or a file.
  private static func part(_ pointer: String) -> Substring {
    start(of: pointer, steps: pointer.hasPrefix("#/x-files/") ? 2 : 3)
  }

  /// The parts of the document that the operations use.
  private func parts(usedBy names: Set<String>) -> Set<Substring> {
    var used: Set<Substring> = []
    var rest = operations.filter { names.contains($0.key) }.map { $0.value[...] }
    while let next = rest.popLast() {
      for place in references[next] ?? [] where used.insert(place).inserted { rest.append(place) }
    }
    return used
  }

  /// The warnings, without those about an operation, a path or a part of the document that is not in the catalogue.
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
    for (pointer, name) in models where names.contains(name) { isTaken[pointer[...]] = true }
    let used = parts(usedBy: endpoints)
    return all.filter { warning in
      // The place of an operation or schema is more precise than that of the path above it.
      let pointer = ofFiles[warning] ?? warning.pointer
      let part = Self.part(pointer)
      if references[part] != nil, !pointer.hasPrefix("#/paths/") { return isTaken[part] == true || used.contains(part) }
      for steps in [3, 2] {
        if let isTaken = isTaken[Self.start(of: pointer, steps: steps)] { return isTaken }
      }
      return true
    }
  }

  /// The first steps of a pointer: `#/paths/~1pets/get` for anything within that operation.
  private static func start(of pointer: String, steps: Int) -> Substring {
    var slashes = 0
    for index in pointer.indices where pointer[index] == "/" {
      slashes += 1
      if slashes > steps { return pointer[..<index] }
    }
    return pointer[...]
  }
}
