// Sound: no more is copied than fits into the buffer, which is valid during libcurl's call.

import CallsignSupport

#if os(Linux)
  import CCurl
  import CallsignSupport

  /// A request's body on its way from its source to libcurl: one piece waits while the next one is read.
  final class CurlUpload: Sendable {
    /// The most bytes asked of the source at once; libcurl's buffer for sending has the same size.
    static let pieceSize = 64 * 1024

    private struct State {
      var source: (any BodySource)?
      var piece = Data()
      var isEnded = false
      /// libcurl asked for bytes when there were none, and must be woken.
      var isStarved = false
      /// The source's task waits until the piece has been sent. `false` makes it give up.
      var roomWaiter: CheckedContinuation<Bool, Never>?
      var isAbandoned = false
      var task: Task<Void, Never>?
    }

    let length: Int?
    private let state: Locked<State>

    init(source: any BodySource, length: Int?) {
      state = Locked(State(source: source))
      self.length = length
    }

    var isStarved: Bool { state.withLock { $0.isStarved } }

    /// One task for the whole body; it ends with the transfer.
    func start(for transfer: CurlTransfer) {
      state.withLock { state in
        guard !state.isAbandoned, let source = state.source else { return }
        state.task = Task { await self.send(source, by: transfer) }
      }
    }

    private func send(_ source: any BodySource, by transfer: CurlTransfer) async {
      var total = 0
      do {
        while let piece = try await source.next(limit: Self.pieceSize) {
          total += piece.count
          if let length, total > length { return fail(transfer, "the body is longer than announced") }
          guard await hasRoom() else { return }
          offer(piece, to: transfer)
        }
      } catch {
        return fail(transfer, "\(type(of: error))")
      }
      if let length, total < length { return fail(transfer, "the body is shorter than announced") }
      offer(nil, to: transfer)
    }

    private func fail(_ transfer: CurlTransfer, _ detail: String) {
      transfer.fail(.bodySource, detail: detail)
    }

    private func hasRoom() async -> Bool {
      await withCheckedContinuation { continuation in
        let room: Bool? = state.withLock { state in
          if state.isAbandoned { return false }
          if state.piece.isEmpty { return true }
          state.roomWaiter = continuation
          return nil
        }
        if let room { continuation.resume(returning: room) }
      }
    }

    private func offer(_ piece: Data?, to transfer: CurlTransfer) {
      let wasStarved = state.withLock { state in
        if let piece { state.piece = piece } else { state.isEnded = true }
        defer { state.isStarved = false }
        return state.isStarved
      }
      if wasStarved { transfer.resumeUpload() }
    }

    /// Called by libcurl on the loop's thread.
    ///
    /// - Returns: How many bytes were written, 0 at the end, or libcurl's word for "later".
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      var waiter: CheckedContinuation<Bool, Never>?
      let count = state.withLock { state -> Int in
        if state.piece.isEmpty {
          if state.isEnded { return 0 }
          state.isStarved = true
          return Int(CURL_READFUNC_PAUSE)
        }
        let count = min(buffer.count, state.piece.count)
        state.piece.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
        // The rest stays a slice of the same storage; it is not copied.
        state.piece = count == state.piece.count ? Data() : state.piece.dropFirst(count)
        if state.piece.isEmpty {
          waiter = state.roomWaiter
          state.roomWaiter = nil
        }
        return count
      }
      waiter?.resume(returning: true)
      return count
    }

    /// Stops asking the source and releases it, because the transfer is over.
    func abandon() {
      let (waiter, task) = state.withLock { state in
        state.isAbandoned = true
        state.isStarved = false
        defer { (state.source, state.roomWaiter, state.task, state.piece) = (nil, nil, nil, Data()) }
        return (state.roomWaiter, state.task)
      }
      waiter?.resume(returning: false)
      task?.cancel()
    }
  }
#endif
