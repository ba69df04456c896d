import Callsign

/// Counts attempts, and those that repeat another.
struct AttemptCounter: Middleware {
  let tally: Tally

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    await tally.add(context.attempt == 1 ? .calls : .repetitions)
    return try await next(request)
  }
}
