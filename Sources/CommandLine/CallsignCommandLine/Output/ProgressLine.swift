import Foundation

/// A line that shows progress: `████████░░░░  64 % 41.2 of 64.0 MB`.
package struct ProgressLine: Sendable {
  private let fraction: Double?
  private let words: String

  /// - Parameters:
  ///   - done: How much is done.
  ///   - total: The total; `nil` if it is not known, in which case there is no bar.
  ///   - words: The text after the bar.
  package init(done: Int, total: Int?, words: String) {
    fraction = total.flatMap { $0 > 0 ? min(1, Double(done) / Double($0)) : nil }
    self.words = words
  }

  /// The line, no longer than a terminal's width.
  package func text(width: Int) -> String {
    guard let fraction else { return String(words.prefix(max(0, width - 1))) }
    let percent = String(Int(fraction * 100))
    let label = "  " + String(repeating: " ", count: 3 - percent.count) + percent + " %  " + words
    let room = min(30, width - 1 - label.count)
    guard room >= 5 else { return String(label.dropFirst(2).prefix(max(0, width - 1))) }
    let full = Int((Double(room) * fraction).rounded(.down))
    return String(repeating: "█", count: full) + String(repeating: "░", count: room - full) + label
  }

  /// A number of bytes for people, in powers of ten: `41.2 MB`.
  package static func bytes(_ count: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var value = Double(count)
    var index = 0
    while value >= 1000, index < units.count - 1 {
      value /= 1000
      index += 1
    }
    return index == 0 ? "\(count) B" : String(format: "%.1f %@", value, units[index])
  }
}
