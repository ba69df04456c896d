import Callsign

/// Prints what the server received, and remembers whether it was right.
struct Report {
  private var failures = 0

  func begin(_ title: String) { print("\n\(title)") }

  mutating func expect(_ what: String, _ response: Response<Petstore.Received>, _ target: String, _ body: String) {
    let isRight = response.target == target && response.body == body
    let label = what + String(repeating: " ", count: max(0, 10 - what.count))
    print("  \(isRight ? "✓" : "✗") \(label) \(response.method) \(response.target)  \(response.body)")
    if !isRight {
      failures += 1
      print("      expected   \(target)  \(body)")
    }
  }

  /// Prints the outcome, and returns the exit status.
  func finish() -> Int32 {
    print(failures == 0 ? "\nEach arrived as a request of its own." : "\n\(failures) arrived wrong.")
    return failures == 0 ? 0 : 1
  }
}
