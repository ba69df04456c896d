import Foundation

/// Delivers events to webhooks one after the other, in the order in which they happened.
final class WebhookDispatcher: Sendable {
  private struct Happening: Sendable {
    var changes: Store.Changes
    var database: Database
  }

  private let client: WebhookClient
  private let queue: AsyncStream<Happening>.Continuation
  private let log: DeliveryLog
  private let working: Task<Void, Never>

  init(client: WebhookClient, clock: any SandboxClock) {
    self.client = client
    let (stream, queue) = AsyncStream<Happening>.makeStream()
    let log = DeliveryLog()
    self.queue = queue
    self.log = log
    working = Task {
      for await happening in stream {
        for delivery in WebhookEvents(happening.changes, happening.database, at: clock.now()).deliveries {
          if Task.isCancelled { return }
          let body = delivery.body.bytes
          let status = await client.deliver(body, to: delivery.webhook.url, app: delivery.webhook.app)
          await log.add(
            SandboxDelivery(
              webhook: String(delivery.webhook.id), url: delivery.webhook.url, body: body, status: status))
        }
      }
    }
  }

  /// Records changes. Changes that concern no webhook cost nothing.
  func publish(_ changes: Store.Changes, in database: Database) {
    guard !database.webhooks.isEmpty else { return }
    queue.yield(Happening(changes: changes, database: database))
  }

  var deliveries: [SandboxDelivery] { get async { await log.deliveries } }

  func stop() {
    queue.finish()
    working.cancel()
    client.stop()
  }
}

private actor DeliveryLog {
  private(set) var deliveries: [SandboxDelivery] = []

  func add(_ delivery: SandboxDelivery) {
    deliveries.append(delivery)
    if deliveries.count > 10_000 { deliveries.removeFirst(1000) }
  }
}

/// An event sent to a webhook.
public struct SandboxDelivery: Sendable, Hashable {
  /// The webhook's ID.
  public let webhook: String
  /// The webhook's URL.
  public let url: String
  /// The JSON that was sent.
  public let body: Data
  /// The status of the response; 0 if there was none.
  public let status: Int
}
