extension Sandbox {
  /// Lets something go wrong.
  /// - Parameters:
  ///   - fault: what goes wrong.
  ///   - operation: method and path as in X's document, such as `GET /2/users/{id}`; `*` means every operation.
  ///   - times: for how many requests.
  public func inject(_ fault: Fault, for operation: String, times: Int = 1) async {
    await pipeline.faults.add(fault, for: operation, times: times)
  }

  /// Forgets the faults that are still to come.
  public func removeFaults() async { await pipeline.faults.removeAll() }
}
