import CallsignCatalogue

/// The operations that were read, with distinct names.
struct OperationCollection {
  private(set) var operations: [OperationShape] = []
  private let log: ImportLog
  private let maximumSize: Int
  private var size = 0
  private var names: Set<String> = []
  private var counter = NameCounter()

  /// - Parameter maximumSize: The maximum total size of an import's operations. Shared parts count for each operation.
  init(maximumSize: Int, log: ImportLog) {
    self.maximumSize = maximumSize
    self.log = log
  }

  /// Adds an operation. One that can respond with either JSON or events becomes two operations.
  ///
  /// - Throws: ``ImportError/invalid(_:at:)`` if the operations together are too large.
  mutating func add(_ operation: OperationShape, path: String, at place: String) throws(ImportError) {
    size += operation.size
    if size > maximumSize {
      throw .invalid(
        "what operations share (parameters, bodies, responses) multiplies the document to many times its size; give the "
          + "schemas in it names under #/components/schemas", at: place)
    }
    var operation = operation
    if !names.insert(operation.name).inserted {
      let taken = operation.name
      operation.name = freeName(OperationNames.spelledOut(method: operation.method, path: path))
      log.warn("two operations are called `\(taken)`; this one becomes `\(operation.name)`", at: operation.pointer)
    }
    let streaming = operation.splitEvents()
    operations.append(operation)
    guard var streaming else { return }
    streaming.name = freeName(streaming.name)
    log.note(
      "the response is JSON or events; `\(streaming.name)` is the operation whose response is events",
      at: operation.pointer)
    operations.append(streaming)
  }

  private mutating func freeName(_ name: String) -> String {
    let free = counter.free(name) { [names] in names.contains($0) }
    names.insert(free)
    return free
  }
}
