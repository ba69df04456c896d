import Foundation

/// The faults that are still to come.
actor FaultPlan {
  private struct Entry {
    var operation: String
    var fault: Sandbox.Fault
    var remaining: Int
    /// How many requests go by unharmed before it.
    var skipped: Int
  }

  private struct Chance {
    var operation: String
    var plan: Sandbox.RandomFaults
    var generator: SplitMix64
  }

  private var entries: [Entry] = []
  private var chances: [Chance] = []

  /// Whether any fault is still to come.
  var isPending: Bool { !entries.isEmpty }

  /// How many faults have happened.
  private(set) var count = 0

  func add(_ fault: Sandbox.Fault, for operation: String, times: Int, after skipped: Int) {
    guard times > 0 else { return }
    entries.append(Entry(operation: operation, fault: fault, remaining: times, skipped: max(0, skipped)))
  }

  func add(_ plan: Sandbox.RandomFaults, for operation: String) {
    chances.append(Chance(operation: operation, plan: plan, generator: SplitMix64(seed: plan.seed)))
  }

  func removeAll() {
    entries = []
    chances = []
  }

  /// Takes the next fault for an operation. Those that were added first come first, and chance comes last.
  func next(for operation: String) -> Sandbox.Fault? {
    var planned: Sandbox.Fault?
    for index in entries.indices where Self.matches(entries[index].operation, operation) {
      if entries[index].skipped > 0 {
        entries[index].skipped -= 1
      } else if planned == nil {
        entries[index].remaining -= 1
        planned = entries[index].fault
      }
    }
    entries.removeAll { $0.remaining == 0 }
    let fault = planned ?? drawn(for: operation)
    if fault != nil { count += 1 }
    return fault
  }

  private func drawn(for operation: String) -> Sandbox.Fault? {
    for index in chances.indices where Self.matches(chances[index].operation, operation) {
      if let fault = chances[index].plan.draw(&chances[index].generator) { return fault }
    }
    return nil
  }

  private static func matches(_ pattern: String, _ operation: String) -> Bool {
    pattern == operation || pattern == "*"
  }
}
