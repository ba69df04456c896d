extension Call {
  /// Demands that exactly one of the parameters is sent.
  public mutating func requireOne(of names: StaticString...) {
    if count(names) != 1 { edit { $0.fail(.notExactlyOne(of: names.map(\.description))) } }
  }

  /// Demands that at least one of the parameters is sent.
  public mutating func requireAny(of names: StaticString...) {
    if count(names) == 0 { edit { $0.fail(.none(of: names.map(\.description))) } }
  }

  /// Demands that either all of the parameters are sent or none.
  public mutating func requireAll(of names: StaticString...) {
    let count = count(names)
    if count != 0, count != names.count { edit { $0.fail(.notAll(of: names.map(\.description))) } }
  }

  private func count(_ names: [StaticString]) -> Int {
    let sent = Set(arguments.sent.map(\.description))
    return names.count { sent.contains($0.description) }
  }
}
