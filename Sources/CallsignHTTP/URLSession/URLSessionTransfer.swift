import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its answer.
///
/// `@unchecked Sendable`: `URLSessionTask` may be used from any thread, but FoundationNetworking doesn't say so in its types;
/// the rest is constant and safe by itself.
final class URLSessionTransfer: @unchecked Sendable {
  let answer = ResponseBuffer()
  private let task: URLSessionTask
  private let timeouts: Timeouts
  private let totalTimer = Locked<DispatchWorkItem?>(nil)

  var identifier: Int { task.taskIdentifier }

  #if canImport(Darwin)
    let upload: URLSessionUpload?
    private let isSuspended = Locked(false)

    init(task: URLSessionTask, timeouts: Timeouts, upload: URLSessionUpload?) {
      self.task = task
      self.timeouts = timeouts
      self.upload = upload
    }
  #else
    init(task: URLSessionTask, timeouts: Timeouts) {
      self.task = task
      self.timeouts = timeouts
    }
  #endif

  func start(awaitingHead continuation: ResponseBuffer.HeadContinuation) {
    guard answer.awaitHead(continuation) else { return }
    // From here on it can't be told whether a byte has left.
    answer.setDelivery(.unknown)
    if let total = timeouts.total {
      let timer = DispatchWorkItem { [weak self] in self?.fail(.timedOut, detail: "no complete answer in time") }
      totalTimer.withLock { $0 = timer }
      DispatchQueue.global().asyncAfter(deadline: .now() + total.inSeconds, execute: timer)
    }
    task.resume()
    #if canImport(Darwin)
      upload?.start(for: self)
    #endif
  }

  func awaitBody(_ continuation: ResponseBuffer.BodyContinuation) {
    if answer.awaitBody(continuation) { adjustFlow() }
  }

  func cancel() { fail(.cancelled) }

  /// Ends the transfer, if it isn't over.
  func fail(_ kind: TransportError.Kind, detail: String? = nil) {
    if answer.fail({ TransportError(kind, delivery: $0, detail: detail) }) {
      task.cancel()
      end()
    }
  }

  func received(head: HTTPURLResponse) {
    answer.receive(head: AnswerHead(response: HTTPResponse(head), protocolVersion: nil))
    _ = answer.deliver()
  }

  func received(_ bytes: Data) {
    answer.receive(bytes)
    _ = answer.deliver()
    adjustFlow()
  }

  /// Makes the task's state follow the buffer's. A suspended task stops reading its socket, once the session's own small
  /// buffer is full. Reader and session both call this after each change, so that whoever comes last sees what holds.
  ///
  /// Not on Linux: suspending a running task ends the process there ("Need to solve pausing receive").
  private func adjustFlow() {
    #if canImport(Darwin)
      isSuspended.withLock { isSuspended in
        guard isSuspended != answer.isPaused else { return }
        isSuspended.toggle()
        if isSuspended { task.suspend() } else { task.resume() }
      }
    #endif
  }

  func finish(_ error: (any Error)?) {
    if let error {
      answer.finish(.failure(TransportError(urlSession: error, delivery: answer.delivery)))
    } else {
      answer.finish(.success(()))
    }
    _ = answer.deliver()
    end()
  }

  private func end() {
    totalTimer.withLock { timer in
      timer?.cancel()
      timer = nil
    }
    #if canImport(Darwin)
      upload?.abandon()
    #endif
  }
}

extension HTTPResponse {
  fileprivate init(_ response: HTTPURLResponse) {
    let code = (100...999).contains(response.statusCode) ? response.statusCode : 500
    self.init(status: Status(code: code))
    for (name, value) in response.allHeaderFields {
      guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else { continue }
      headerFields.append(HTTPField(name: name, value: value))
    }
  }
}
