import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import XCore

/// An API that takes uploads in memory, and fails as a test wishes.
///
/// `@unchecked Sendable`: `state` is touched only while `lock` is held.
final class ScriptedAPI: ChunkedUploadAPI, @unchecked Sendable {
  struct State {
    var size = 0
    var begins = 0
    var chunks: [Int: Data] = [:]
    var attempts: [Int: Int] = [:]
    var inFlight = 0
    var mostInFlight = 0
    var largestPiece = 0
    var finishes = 0
    var questions = 0
  }

  private let lock = NSLock()
  private var state = State()
  let chunkLimit: Int
  /// Is asked before each attempt of a chunk is read (0 bytes), and after each piece of it: chunk, attempt, bytes so far.
  let during: @Sendable (_ chunk: Int, _ attempt: Int, _ bytes: Int) async throws(CallError) -> Void
  let finishing: @Sendable (Int) throws(CallError) -> ProcessingState?
  let asked: @Sendable (Int) throws(CallError) -> ProcessingState?

  init(
    chunkLimit: Int = 1000,
    during: @escaping @Sendable (Int, Int, Int) async throws(CallError) -> Void = { _, _, _ in },
    finishing: @escaping @Sendable (Int) throws(CallError) -> ProcessingState? = { _ in nil },
    asked: @escaping @Sendable (Int) throws(CallError) -> ProcessingState? = { _ in .succeeded }
  ) {
    self.chunkLimit = chunkLimit
    self.during = during
    self.finishing = finishing
    self.asked = asked
  }

  var seen: State { lock.withLock { state } }
  /// The bytes that arrived, in order.
  var content: Data { seen.chunks.sorted { $0.key < $1.key }.reduce(Data()) { $0 + $1.value } }

  func change<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }

  func begin(size: Int) async throws(CallError) -> String {
    change { state in
      state.size = size
      state.begins += 1
    }
    return "7"
  }

  func append(_ chunk: FilePart, index: Int, to id: String) async throws(CallError) {
    let attempt = change { state in
      state.attempts[index, default: 0] += 1
      state.inFlight += 1
      state.mostInFlight = max(state.mostInFlight, state.inFlight)
      return state.attempts[index] ?? 0
    }
    defer { change { $0.inFlight -= 1 } }
    guard case .source(let part) = chunk.content else { return }
    var bytes = Data()
    try await during(index, attempt, 0)
    do {
      let source = try part.open()
      while let piece = try await source.next(limit: 1000) {
        bytes += piece
        change { $0.largestPiece = max($0.largestPiece, piece.count) }
        try await during(index, attempt, bytes.count)
      }
    } catch let error as CallError {
      throw error
    } catch {
      throw .mayHaveSucceeded(TransportError(.bodySource, delivery: .unknown))
    }
    change { $0.chunks[index] = bytes }
  }

  func finish(_ id: String) async throws(CallError) -> UploadStage<String> {
    let count = change { state in
      state.finishes += 1
      return state.finishes
    }
    return UploadStage(receipt: id, processing: try finishing(count))
  }

  func status(of id: String) async throws(CallError) -> UploadStage<String> {
    let count = change { state in
      state.questions += 1
      return state.questions
    }
    return UploadStage(receipt: id, processing: try asked(count))
  }
}

/// Collects what a progress closure is told.
///
/// `@unchecked Sendable`: `values` is touched only while `lock` is held.
final class ProgressLog: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [UploadProgress] = []

  var all: [UploadProgress] { lock.withLock { values } }

  func append(_ progress: UploadProgress) { lock.withLock { values.append(progress) } }
}

extension CallError {
  static var lost: CallError { .mayHaveSucceeded(TransportError(.connectionLost, delivery: .unknown)) }

  static func status(_ code: Int, headers: [String: String] = [:]) async -> CallError {
    let transport = InMemoryTransport { _ in
      var response = TransportResponse.json("{}", status: .init(code: code))
      for (name, value) in headers { if let name = HTTPField.Name(name) { response.head.headerFields[name] = value } }
      return response
    }
    do throws(CallError) {
      let _: Response<NoContent> = try await client([], transport).send(Call(endpoint()))
      return .cancelled
    } catch { return error }
  }
}
