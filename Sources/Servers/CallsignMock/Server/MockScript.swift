/// The replies and faults that a test has set up.
struct MockScript: Sendable {
  typealias Responder = @Sendable (MockRequest) async -> MockReply

  private struct Reply: Sendable {
    var operation: String
    var respond: Responder
    /// `nil` means always.
    var remaining: Int?
  }

  private struct Fault: Sendable {
    var operation: String
    var fault: MockFault
    var remaining: Int
    var skipped: Int
  }

  private var replies: [Reply] = []
  private var faults: [Fault] = []

  mutating func add(_ respond: @escaping Responder, to operation: String, times: Int?) {
    if let times, times <= 0 { return }
    // A reply for all calls replaces the previous one for all calls.
    if times == nil { replies.removeAll { $0.operation == operation && $0.remaining == nil } }
    replies.append(Reply(operation: operation, respond: respond, remaining: times))
  }

  mutating func add(_ fault: MockFault, to operation: String, times: Int, after skipped: Int) {
    if times > 0 {
      faults.append(Fault(operation: operation, fault: fault, remaining: times, skipped: max(0, skipped)))
    }
  }

  /// The next reply: first those for a limited number of calls, in the order in which you added them, then the one for all calls.
  mutating func reply(to operation: String) -> Responder? {
    let own = replies.indices.filter { replies[$0].operation == operation }
    guard let index = own.first(where: { replies[$0].remaining != nil }) ?? own.first else { return nil }
    let respond = replies[index].respond
    if let remaining = replies[index].remaining {
      if remaining == 1 { replies.remove(at: index) } else { replies[index].remaining = remaining - 1 }
    }
    return respond
  }

  /// The next fault. Each request counts towards all faults that wait for their turn.
  mutating func fault(for operation: String) -> MockFault? {
    var due: MockFault?
    for index in faults.indices where faults[index].operation == operation || faults[index].operation == "*" {
      if faults[index].skipped > 0 {
        faults[index].skipped -= 1
      } else if due == nil {
        faults[index].remaining -= 1
        due = faults[index].fault
      }
    }
    faults.removeAll { $0.remaining == 0 }
    return due
  }

  mutating func removeReplies(to operation: String?) {
    replies.removeAll { operation == nil || $0.operation == operation }
  }

  /// The planned faults as text, in the order in which you added them.
  var plannedFaults: [String] {
    faults.map { planned in
      FaultText.planned(
        planned.fault.words, for: planned.operation, times: planned.remaining, after: planned.skipped)
    }
  }

  mutating func removeFaults() { faults = [] }
}
