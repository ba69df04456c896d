import CallsignCatalogue
import Foundation

/// Tells whether a run would write what is there already: the same program, asked for the same with the same files, whose
/// outputs nobody touched since.
///
/// The files themselves are kept and compared, not their dates, which a checkout of another branch and back changes.
struct GenerationState {
  /// Where the state of the last run is kept.
  let file: String

  /// Whether the last run was the same as this one would be.
  func isCurrent(_ facts: [String], inputs: [CatalogueSource], outputs: [URL]) -> Bool {
    guard let kept = try? Data(contentsOf: URL(fileURLWithPath: file)),
      let now = Self.text(facts, inputs: inputs, outputs: outputs)
    else { return false }
    return kept == now
  }

  /// Keeps the state of a run that is over. Where that fails, the next run does all its work.
  func keep(_ facts: [String], inputs: [CatalogueSource], outputs: [URL]) {
    guard let now = Self.text(facts, inputs: inputs, outputs: outputs) else { return forget() }
    try? now.write(to: URL(fileURLWithPath: file), options: .atomic)
  }

  /// Makes the next run do all its work.
  func forget() { try? FileManager.default.removeItem(atPath: file) }

  /// `nil` where an output or the program cannot be looked at.
  private static func text(_ facts: [String], inputs: [CatalogueSource], outputs: [URL]) -> Data? {
    guard let program = Bundle.main.executableURL, let programState = state(of: program) else { return nil }
    var lines = [programState] + facts
    for output in outputs {
      guard let state = state(of: output) else { return nil }
      lines.append(state)
    }
    for input in inputs { lines.append("\(input.path) \(input.bytes.count)") }
    var data = Data()
    // Lengths stand before all texts, so that no two runs have one state.
    for line in lines { data.append(contentsOf: "\(line.utf8.count) \(line)\n".utf8) }
    for input in inputs { data.append(contentsOf: input.bytes) }
    return data
  }

  /// Path, size and time of the last change.
  private static func state(of file: URL) -> String? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
      let size = attributes[.size] as? NSNumber, let date = attributes[.modificationDate] as? Date
    else { return nil }
    return "\(file.path) \(size) \(date.timeIntervalSinceReferenceDate)"
  }
}
