import CallsignCatalogue
import CallsignSupport

/// Detects whether a run would write exactly what already exists: the same program with the same options and files, and outputs
/// that nobody has changed since.
///
/// It stores and compares the files themselves. Their dates change when you check out another branch and return.
struct GenerationState {
  /// The file that stores the state of the last run.
  let file: String

  /// The warnings of the last run if this run would be the same; otherwise `nil`.
  func warnings(_ facts: [String], inputs: [CatalogueSource], outputs: [String]) -> [Diagnostic]? {
    guard let kept = try? Data(contentsOf: URL(fileURLWithPath: file)),
      let now = Self.text(facts, inputs: inputs, outputs: outputs), kept.prefix(now.count) == now
    else { return nil }
    return Self.warnings(kept.dropFirst(now.count))
  }

  /// Stores the state of a finished run that wrote its outputs. If that fails, the next run does all its work.
  func keep(_ facts: [String], inputs: [CatalogueSource], outputs: [String], warnings: [Diagnostic]) {
    guard var now = Self.text(facts, inputs: inputs, outputs: outputs) else { return forget() }
    for warning in warnings {
      let location = warning.location
      for field in [location.file, "\(location.line)", "\(location.column)", warning.message] {
        now.append(Self.line(field))
      }
    }
    try? now.write(to: URL(fileURLWithPath: file), options: .atomic)
  }

  /// Makes the next run do all its work.
  func forget() { try? FileManager.default.removeItem(atPath: file) }

  /// `nil` if an output or the program cannot be examined.
  private static func text(_ facts: [String], inputs: [CatalogueSource], outputs: [String]) -> Data? {
    guard let program = programFile, let programState = state(of: program) else { return nil }
    var lines = [programState] + facts
    for output in outputs {
      guard let state = state(of: output) else { return nil }
      lines.append(state)
    }
    for input in inputs { lines.append("\(input.path) \(input.bytes.count)") }
    var data = Data()
    // A length precedes each text, so that two different runs never have the same state.
    for line in lines { data.append(Self.line(line)) }
    for input in inputs { data.append(contentsOf: input.bytes) }
    return data
  }

  /// The file of the running program.
  private static var programFile: String? {
    #if os(Linux)
      "/proc/self/exe"
    #else
      Bundle.main.executablePath
    #endif
  }

  private static func line(_ text: String) -> Data { Data("\(text.utf8.count) \(text)\n".utf8) }

  /// Reads the warnings after the state; `nil` if another program has written to the file.
  private static func warnings(_ data: Data) -> [Diagnostic]? {
    var rest = data
    var fields: [String] = []
    while !rest.isEmpty {
      guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
        let count = String(data: rest[..<space], encoding: .utf8).flatMap(Int.init), count >= 0,
        count < rest.endIndex - space - 1,
        let text = String(data: rest[(space + 1)..<(space + 1 + count)], encoding: .utf8)
      else { return nil }
      fields.append(text)
      rest = rest[(space + 2 + count)...]
    }
    guard fields.count.isMultiple(of: 4) else { return nil }
    var warnings: [Diagnostic] = []
    for start in stride(from: 0, to: fields.count, by: 4) {
      guard let line = Int(fields[start + 1]), let column = Int(fields[start + 2]) else { return nil }
      let location = SourceLocation(file: fields[start], line: line, column: column)
      warnings.append(Diagnostic(.warning, fields[start + 3], at: location))
    }
    return warnings
  }

  /// The path, size and modification time.
  private static func state(of file: String) -> String? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    let time = status.modified
    return "\(file) \(status.st_size) \(time.tv_sec) \(time.tv_nsec)"
  }
}
