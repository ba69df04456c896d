import Foundation

/// Remembers the last requests.
actor RequestLog {
  private let capacity: Int
  private(set) var requests: [Sandbox.Request] = []

  init(capacity: Int) { self.capacity = capacity }

  func record(_ request: IncomingRequest, status: Int, date: Date) {
    requests.append(
      Sandbox.Request(
        method: request.method, path: request.path, query: Masking.query(request.query),
        headers: Dictionary(request.headers.map { ($0.name, Masking.header($0)) }, uniquingKeysWith: { $1 }),
        body: Masking.body(of: request), status: status, date: date))
    if requests.count > capacity { requests.removeFirst(requests.count - capacity) }
  }

  func clear() { requests = [] }
}
