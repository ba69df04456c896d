import CallsignMock
import Foundation

/// Random faults, for long tests. With the same seed, the same requests in the same order get the same faults.
public struct SandboxRandomFaults: Sendable {
  /// The probability of a fault for each request, from 0 to 1.
  public var probability: Double
  /// The seed of the random numbers.
  public var seed: UInt64
  /// The faults, all equally likely.
  public var faults: [SandboxFault]

  /// The usual faults of networks and busy servers: failures, cut connections, slow and split bodies, proxy pages.
  public static let usual: [SandboxFault] = [
    .status(500), .status(502), .status(503, headers: ["Retry-After": "0"]), .proxyPage(status: 504),
    .cutBeforeResponse, .loseResponse, .cutInBody(after: 20), .truncatedBody(to: 20), .splitBody(into: 7),
    .delay(.milliseconds(50)), .rateLimited(.init(retryAfter: .seconds(0))),
  ]

  /// Creates a plan.
  /// - Parameters:
  ///   - probability: The probability of a fault for each request, from 0 to 1.
  ///   - seed: The seed of the random numbers.
  ///   - faults: The faults. Default: the usual ones of networks and servers.
  public init(probability: Double, seed: UInt64 = 1, faults: [SandboxFault] = usual) {
    self.probability = probability
    self.seed = seed
    self.faults = faults
  }

  func draw(_ generator: inout SplitMix64) -> SandboxFault? {
    let isDue = Double.random(in: 0..<1, using: &generator) < probability
    return isDue ? faults.randomElement(using: &generator) : nil
  }
}

/// The planned faults.
actor FaultPlan {
  private struct Entry {
    var operation: String
    var fault: SandboxFault
    var remaining: Int
    /// The number of requests without a fault before it.
    var skipped: Int
  }

  private struct RandomEntry {
    var operation: String
    var plan: SandboxRandomFaults
    var generator: SplitMix64
  }

  private var entries: [Entry] = []
  private var randomEntries: [RandomEntry] = []

  /// The number of faults that have happened.
  private(set) var count = 0

  func add(_ fault: SandboxFault, for operation: String, times: Int, after skipped: Int) {
    guard times > 0 else { return }
    entries.append(Entry(operation: operation, fault: fault, remaining: times, skipped: max(0, skipped)))
  }

  func add(_ plan: SandboxRandomFaults, for operation: String) {
    randomEntries.append(RandomEntry(operation: operation, plan: plan, generator: SplitMix64(seed: plan.seed)))
  }

  /// The planned faults as text, in the order in which you added them.
  var descriptions: [String] {
    entries.map { FaultText.planned($0.fault.words, for: $0.operation, times: $0.remaining, after: $0.skipped) }
      + randomEntries.map { entry in
        let percent = (entry.plan.probability * 1000).rounded() / 10
        return FaultText.operation(entry.operation)
          + ": one of \(entry.plan.faults.count) faults by chance, \(percent) %"
      }
  }

  func removeAll() {
    entries = []
    randomEntries = []
  }

  /// Removes and returns the next fault for an operation. Planned faults come first, in the order in which you added them, then
  /// random ones.
  func next(for operation: String) -> SandboxFault? {
    var planned: SandboxFault?
    for index in entries.indices where Self.matches(entries[index].operation, operation) {
      if entries[index].skipped > 0 {
        entries[index].skipped -= 1
      } else if planned == nil {
        entries[index].remaining -= 1
        planned = entries[index].fault
      }
    }
    entries.removeAll { $0.remaining == 0 }
    let fault = planned ?? randomFault(for: operation)
    if fault != nil { count += 1 }
    return fault
  }

  private func randomFault(for operation: String) -> SandboxFault? {
    for index in randomEntries.indices where Self.matches(randomEntries[index].operation, operation) {
      if let fault = randomEntries[index].plan.draw(&randomEntries[index].generator) { return fault }
    }
    return nil
  }

  private static func matches(_ pattern: String, _ operation: String) -> Bool {
    pattern == operation || pattern == "*"
  }
}
