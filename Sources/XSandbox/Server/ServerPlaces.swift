/// Bounds how many servers run in this process at a time.
///
/// Each one waits for its sockets on a thread of its own, and Dispatch has no more than 255 of them: a test suite that
/// starts hundreds of sandboxes at once would stop dead. Whoever comes too late waits until another server has ended.
actor ServerPlaces {
  static let shared = ServerPlaces(count: 64)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(count: Int) { free = count }

  func take() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
