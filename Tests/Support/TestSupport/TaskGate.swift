/// Holds a task up at a place until a test opens it, and tells the test when the task has come there.
package final class TaskGate: Sendable {
  private let arrivals: AsyncStream<Void>
  private let arrived: AsyncStream<Void>.Continuation
  private let opening: AsyncStream<Void>
  private let opened: AsyncStream<Void>.Continuation

  package init() {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (opening, opened) = AsyncStream.makeStream(of: Void.self)
    self.arrivals = arrivals
    self.arrived = arrived
    self.opening = opening
    self.opened = opened
  }

  /// Waits until the gate is open; for one task.
  package func pass() async {
    arrived.finish()
    for await _ in opening {}
  }

  /// Waits until a task has come; for the test.
  package func hasCome() async { for await _ in arrivals {} }

  /// Lets the task go on.
  package func open() { opened.finish() }
}
