// Sound: the stream gets the buffer with its size, and reads it during the call only.

import CallsignSupport

#if canImport(Darwin)
  import Foundation

  /// A request's body, which a session may ask for more than once.
  final class URLSessionUpload: Sendable {
    private let body: RequestBody
    private let state: Locked<State>

    private struct State {
      /// The source that was opened first, until it is requested.
      var first: (any BodySource)?
      /// The pair of streams that is being read.
      var current: URLSessionBodyStream?
      /// The transfer may end while it is being started.
      var isOver = false
    }

    init(body: RequestBody, first: (any BodySource)?) {
      self.body = body
      state = Locked(State(first: first))
    }

    /// A stream of the whole body; an earlier stream ends. `nil` if the body cannot be opened again, which has then failed the
    /// transfer, or if the transfer is over.
    func openStream(for transfer: URLSessionTransfer) -> InputStream? {
      do throws(TransportError) {
        let (first, wasOver) = state.withLock { state in
          defer { state.first = nil }
          return (state.first, state.isOver)
        }
        guard !wasOver else { return nil }
        let opened = if let first { first } else { try body.openStream() }
        guard let source = opened else { return nil }
        let (input, stream) = try URLSessionBodyStream.pair(source: source, length: body.length)
        let (last, isOver) = state.withLock { state in
          defer { if !state.isOver { state.current = stream } }
          return (state.current, state.isOver)
        }
        last?.abandon()
        guard !isOver else { return nil }
        stream.start(for: transfer)
        return input
      } catch {
        transfer.fail(error.kind, detail: error.detail)
        return nil
      }
    }

    /// The transfer has failed: nothing more is read from the source. The stream stays open until the session has
    /// released it, because closing it would look like the end of a complete body.
    func stop() {
      let current = state.withLock { state in
        (state.first, state.isOver) = (nil, true)
        return state.current
      }
      current?.stop()
    }

    /// The session has ended the task: nothing more is read from the source, and its stream is closed.
    func abandon() {
      stop()
      let current = state.withLock { state in
        defer { state.current = nil }
        return state.current
      }
      current?.abandon()
    }
  }

  /// A request's body on its way from its source to the session, through a pair of bound streams whose small buffer slows
  /// the source.
  ///
  /// `@unchecked Sendable`: the stream's state is used only on `queue`, where the stream also reports.
  private final class URLSessionBodyStream: NSObject, StreamDelegate, @unchecked Sendable {
    private static let pieceSize = 64 * 1024

    private let source: any BodySource
    private let length: Int?
    private let output: OutputStream
    private let queue = DispatchQueue(label: "callsign.upload")
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

    /// The end that a session reads, and the one that is written.
    static func pair(
      source: any BodySource, length: Int?
    ) throws(TransportError) -> (input: InputStream, stream: URLSessionBodyStream) {
      var input: InputStream?
      var output: OutputStream?
      Stream.getBoundStreams(withBufferSize: pieceSize, inputStream: &input, outputStream: &output)
      guard let input, let output else {
        throw TransportError(.other, delivery: .notSent, detail: "not enough memory for a pair of streams")
      }
      return (input, URLSessionBodyStream(source: source, length: length, output: output))
    }

    private init(source: any BodySource, length: Int?, output: OutputStream) {
      self.source = source
      self.length = length
      self.output = output
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
            return fail(transfer, "the body is longer than announced")
          }
          guard await write(piece) else { return }
        }
      } catch {
        return fail(transfer, "\(type(of: error))")
      }
      if let length, total < length {
        return fail(transfer, "the body is shorter than announced")
      }
      queue.async { [self] in
        // A stopped source may report its end, which is not the body's end.
        guard !work.withLock({ $0.isOver }) else { return }
        close()
      }
    }

    /// Failures of a source that was abandoned for another do not matter.
    private func fail(_ transfer: URLSessionTransfer, _ detail: String) {
      guard !work.withLock({ $0.isOver }) else { return }
      transfer.fail(.bodySource, detail: detail)
    }

    /// - Returns: Whether all of it was taken; `false` when the transfer is over.
    private func write(_ bytes: Data) async -> Bool {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          guard !isClosed, !work.withLock({ $0.isOver }) else { return continuation.resume(returning: false) }
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
      dropPiece()
    }

    /// No more of the source's bytes are written.
    private func dropPiece() {
      piece = Data()
      waiter?.resume(returning: false)
      waiter = nil
    }

    /// Nothing more is read from the source, and the stream stays open.
    func stop() {
      let task = work.withLock { work in
        defer { (work.task, work.isOver) = (nil, true) }
        return work.task
      }
      task?.cancel()
      queue.async { [self] in dropPiece() }
    }

    /// Nothing more is read from the source, and the stream is closed.
    func abandon() {
      stop()
      queue.async { [self] in close() }
    }
  }
#endif
