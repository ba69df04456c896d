extension Sandbox {
  /// Faults by chance, for a test that runs long. The same seed gives the same faults to the same requests in the same order.
  public struct RandomFaults: Sendable {
    /// How likely a request is to meet a fault, from 0 to 1.
    public var probability: Double
    /// From which the chances are drawn.
    public var seed: UInt64
    /// Of which each is as likely as any other.
    public var faults: [Fault]

    /// What a network and a busy server do: failures, cuts, slow and split bodies, pages of proxies.
    public static let usual: [Fault] = [
      .status(500), .status(502), .status(503, headers: ["Retry-After": "0"]), .proxyPage(status: 504),
      .cutBeforeAnswer, .loseAnswer, .cutInBody(after: 20), .truncatedBody(to: 20), .splitBody(into: 7),
      .delay(.milliseconds(50)), .rateLimited(.init(retryAfter: .seconds(0))),
    ]

    /// Creates a plan.
    /// - Parameters:
    ///   - probability: how likely a request is to meet a fault, from 0 to 1.
    ///   - seed: from which the chances are drawn.
    ///   - faults: the faults; the usual ones of networks and servers unless others are given.
    public init(probability: Double, seed: UInt64 = 1, faults: [Fault] = usual) {
      self.probability = probability
      self.seed = seed
      self.faults = faults
    }

    func draw(_ generator: inout SplitMix64) -> Fault? {
      let isDue = Double.random(in: 0..<1, using: &generator) < probability
      return isDue ? faults.randomElement(using: &generator) : nil
    }
  }
}
