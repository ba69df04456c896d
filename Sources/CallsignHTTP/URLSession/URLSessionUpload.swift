#if canImport(Darwin)
  import Foundation

  /// A request's body on its way from its source to the session, through a pair of bound streams whose small buffer slows
  /// the source.
  ///
  /// `@unchecked Sendable`: the streams' state is touched on `queue` only, where the output stream reports too, and the
  /// input stream is handed out once.
  final class URLSessionUpload: NSObject, StreamDelegate, @unchecked Sendable {
    private static let pieceSize = 64 * 1024

    private let source: any BodySource
    private let length: Int?
    private let output: OutputStream
    private let queue = DispatchQueue(label: "callsign.upload")
    private let input: Locked<InputStream?>
    private let work = Locked(Work())

    private struct Work {
      var task: Task<Void, Never>?
      /// The transfer may end while it is being started.
      var isOver = false
    }

    // The queue's.
    private var piece = Data()
    private var waiter: CheckedContinuation<Bool, Never>?
    private var isClosed = false

    init(source: any BodySource, length: Int?) throws(TransportError) {
      self.source = source
      self.length = length
      var input: InputStream?
      var output: OutputStream?
      Stream.getBoundStreams(withBufferSize: Self.pieceSize, inputStream: &input, outputStream: &output)
      guard let input, let output else {
        throw TransportError(.other, delivery: .notSent, detail: "there is no memory for a pair of streams")
      }
      self.input = Locked(input)
      self.output = output
    }

    func takeStream() -> InputStream? {
      input.withLock { input in
        defer { input = nil }
        return input
      }
    }

    func start(for transfer: URLSessionTransfer) {
      queue.async { [self] in
        guard !isClosed else { return }
        output.delegate = self
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue)
        output.open()
      }
      work.withLock { work in
        guard !work.isOver else { return }
        work.task = Task { await self.run(for: transfer) }
      }
    }

    private func run(for transfer: URLSessionTransfer) async {
      var total = 0
      do {
        while let piece = try await source.next(limit: Self.pieceSize) {
          total += piece.count
          if let length, total > length {
            return transfer.fail(.bodySource, detail: "the body is longer than announced")
          }
          guard await write(piece) else { return }
        }
      } catch {
        return transfer.fail(.bodySource, detail: "\(type(of: error))")
      }
      if let length, total < length {
        return transfer.fail(.bodySource, detail: "the body is shorter than announced")
      }
      queue.async { [self] in close() }
    }

    /// - Returns: Whether all of it was taken; `false` when the transfer is over.
    private func write(_ bytes: Data) async -> Bool {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          guard !isClosed else { return continuation.resume(returning: false) }
          piece = bytes
          waiter = continuation
          drain()
        }
      }
    }

    private func drain() {
      while !piece.isEmpty, output.hasSpaceAvailable {
        let count = piece.withUnsafeBytes { bytes in
          bytes.bindMemory(to: UInt8.self).baseAddress.map { output.write($0, maxLength: bytes.count) } ?? 0
        }
        guard count > 0 else { return count < 0 ? close() : () }
        piece = Data(piece.dropFirst(count))
      }
      guard piece.isEmpty else { return }
      waiter?.resume(returning: true)
      waiter = nil
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
      switch event {
      case .hasSpaceAvailable: drain()
      case .errorOccurred, .endEncountered: close()
      default: break
      }
    }

    private func close() {
      guard !isClosed else { return }
      isClosed = true
      CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
      output.delegate = nil
      output.close()
      piece = Data()
      waiter?.resume(returning: false)
      waiter = nil
    }

    /// The transfer is over: the source is asked for no more.
    func abandon() {
      let task = work.withLock { work in
        defer { (work.task, work.isOver) = (nil, true) }
        return work.task
      }
      task?.cancel()
      queue.async { [self] in close() }
    }
  }
#endif
