/// The faults that are still to come.
actor FaultPlan {
  private struct Entry {
    var operation: String
    var fault: Sandbox.Fault
    var remaining: Int
  }

  private var entries: [Entry] = []

  /// Whether any fault is still to come.
  var isPending: Bool { !entries.isEmpty }

  func add(_ fault: Sandbox.Fault, for operation: String, times: Int) {
    guard times > 0 else { return }
    entries.append(Entry(operation: operation, fault: fault, remaining: times))
  }

  func removeAll() { entries = [] }

  /// Takes the next fault for an operation. Those that were added first come first.
  func next(for operation: String) -> Sandbox.Fault? {
    guard let index = entries.firstIndex(where: { $0.operation == operation || $0.operation == "*" }) else {
      return nil
    }
    entries[index].remaining -= 1
    let fault = entries[index].fault
    if entries[index].remaining == 0 { entries.remove(at: index) }
    return fault
  }
}
