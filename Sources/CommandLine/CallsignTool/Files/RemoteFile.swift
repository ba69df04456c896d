import Callsign
import CallsignHTTP
import CallsignOpenAPI
import Foundation
import HTTPTypes

/// A file read from another machine over `https`. Over `http`, only this machine is allowed, and not for a document from another
/// machine, which must not lead the program to this machine's services.
enum RemoteFile {
  private static let sizeLimit = 128 << 20
  private static let redirectLimit = 5

  /// The bytes of the file, and the URL after redirects. It blocks the thread, which must not belong to Swift concurrency.
  ///
  /// - Parameter allowsLoopback: Whether the file, or a redirect to it, may be on this machine and use `http`.
  /// - Throws: ``ImportError`` for a URL that may not be read or cannot be.
  static func read(_ text: String, allowsLoopback: Bool) throws(ImportError) -> (bytes: [UInt8], url: String) {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do throws(ImportError) { box.result = .success(try await load(text, allowsLoopback)) } catch {
        box.result = .failure(error)
      }
      done.signal()
    }
    done.wait()
    guard let result = box.result else { throw .reference("`\(text.shownPath)` cannot be read", at: text.shownPath) }
    return try result.get()
  }

  /// The semaphore orders the only write before the only read.
  private final class Box: @unchecked Sendable {
    var result: Result<(bytes: [UInt8], url: String), ImportError>?
  }

  private static func load(
    _ text: String, _ allowsLoopback: Bool
  ) async throws(ImportError) -> (bytes: [UInt8], url: String) {
    var url = text
    for _ in 0...redirectLimit {
      let response = try await response(to: url, askedFor: text, allowsLoopback)
      let status = response.head.status.code
      if (300..<400).contains(status), let location = response.head.headerFields[.location],
        let next = URL(string: location, relativeTo: URL(string: url))?.absoluteString
      {
        url = next
        continue
      }
      guard status == 200 else {
        throw .reference("`\(text.shownPath)` cannot be read: the server responds with \(status)", at: text.shownPath)
      }
      do throws(TransportError) { return ([UInt8](try await response.body.collect(upTo: sizeLimit)), url) } catch {
        throw .reference("`\(text.shownPath)` cannot be read: \(error)", at: text.shownPath)
      }
    }
    throw .reference("`\(text.shownPath)` cannot be read: it leads from one place to the next", at: text.shownPath)
  }

  private static func response(
    to url: String, askedFor text: String, _ allowsLoopback: Bool
  ) async throws(ImportError) -> TransportResponse {
    let target = url.prefix { $0 != "#" }
    // Text that someone modified in transit would become a program.
    guard let address = AbsoluteURL(String(target)), address.scheme == "https" || isLoopback(address) else {
      throw .reference("`\(url.shownPath)` is not an `https` URL", at: text.shownPath)
    }
    guard allowsLoopback || !isLoopback(address) else {
      throw .reference(
        "`\(url.shownPath)` is not read: it is on this machine, and the document is not",
        at: text.shownPath)
    }
    var request = TransportRequest(method: .get, url: address)
    request.headerFields[.accept] = "application/yaml, application/json, */*"
    request.timeouts = Timeouts(total: .seconds(120))
    do throws(TransportError) { return try await DefaultTransport.shared.send(request) } catch {
      throw .reference("`\(text.shownPath)` cannot be read: \(error)", at: text.shownPath)
    }
  }

  /// Whether a text is an `http` URL of this machine.
  static func isLoopback(_ text: String) -> Bool {
    AbsoluteURL(String(text.prefix { $0 != "#" })).map { isLoopback($0) } ?? false
  }

  private static func isLoopback(_ url: AbsoluteURL) -> Bool {
    url.scheme == "http" && ["127.0.0.1", "localhost", "[::1]", "::1"].contains(url.host)
  }
}
