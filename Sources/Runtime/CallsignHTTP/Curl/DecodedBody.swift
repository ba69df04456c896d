#if os(Linux)
  import CallsignSupport

  /// A response's body without its content codings (RFC 9110 §8.4.1): gzip and deflate.
  ///
  /// libcurl could decode too, but it accepts a truncated stream as complete, and treats several gzip members (RFC 1952 §2.2) as an
  /// error.
  final class DecodedBody: ResponseBodySource {
    private let source: any ResponseBodySource
    private let coding: String
    private let decoder: Locked<ContentDecoder>

    private init(_ source: any ResponseBodySource, _ coding: String) {
      self.source = source
      self.coding = coding
      decoder = Locked(ContentDecoder(coding))
    }

    /// More codings than this are refused, as each may make a thousand bytes of one.
    private static let mostCodings = 3

    /// The body without the codings that a `Content-Encoding` field names.
    ///
    /// - Throws: ``TransportError`` for too many of them.
    static func undoing(
      _ contentEncoding: String?, of source: any ResponseBodySource
    ) throws(TransportError) -> any ResponseBodySource {
      guard let contentEncoding else { return source }
      let codings = contentEncoding.split(separator: ",").map { $0.trimmingWhitespace().lowercased() }
        .filter { !$0.isEmpty && $0 != "identity" }
      guard codings.count <= mostCodings else { throw .undecodable(contentEncoding) }
      // The last one was applied last.
      return codings.reversed().reduce(source) { DecodedBody($0, $1) }
    }

    func next() async throws(TransportError) -> Data? {
      while true {
        if let piece = try decoded() { return piece }
        guard let bytes = try await source.next() else {
          guard decoder.withLock({ $0.isWhole }) else {
            throw TransportError(
              .connectionLost, delivery: .delivered,
              detail: "the response is incomplete: its Content-Encoding `\(coding.printable)` ends early")
          }
          return nil
        }
        decoder.withLock { $0.append(bytes) }
      }
    }

    /// The next decoded bytes of what has arrived; `nil` if more must arrive first.
    private func decoded() throws(TransportError) -> Data? {
      do { return try decoder.withLock { decoder throws(ContentDecoder.Failure) in try decoder.next() } } catch {
        throw .undecodable(coding)
      }
    }
  }

  extension TransportError {
    /// The error of a content coding that is not known, or of bytes that are not of it.
    fileprivate static func undecodable(_ coding: String) -> TransportError {
      // The server's word, so no more of it than the names of codings have.
      let name = coding.prefix(24).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+, ".contains($0)) }
      return TransportError(
        .protocolViolation, delivery: .delivered,
        detail: "the Content-Encoding `\(name)` cannot be decoded; "
          + #"options.headers["Accept-Encoding"] = "identity" turns decoding off"#)
    }
  }
#endif
