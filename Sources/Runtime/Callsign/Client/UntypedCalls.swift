import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

extension Client {
  /// Calls an endpoint that no catalogue has.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: An absolute URL, which may already have a query.
  ///   - query: Further query parameters, sorted by name. A `nil` is left out.
  ///   - body: The body.
  ///   - auth: Which credentials to send. They are sent only to the hosts that their authenticator names.
  ///   - options: The settings for this call that differ from its client's.
  /// - Returns: The response's JSON; JSON's `null` if the response is empty, or white space.
  /// - Throws: ``CallError``.
  public func call(
    _ method: HTTPRequest.Method, _ url: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<JSONValue> {
    try await json(Call(method, url, query: query, body: body, auth: auth, options: options))
  }

  /// The response's JSON; JSON's `null` if the response is empty, or white space.
  fileprivate func json(_ call: Call) async throws(CallError) -> Response<JSONValue> {
    let execution = try CallExecution(self, call)
    let rawResponse = try await execution.wholeResponse()
    if ContentKind.isEmpty(rawResponse.body) { return Response(value: .null, rawResponse: rawResponse) }
    return try execution.decode(rawResponse)
  }

  /// Calls an endpoint that no catalogue has, and returns when the response's head has arrived. You read the body as it
  /// arrives; reading slowly slows the sender. Dropping the body, or cancelling the task, ends the transfer.
  ///
  /// Until the head has arrived, the call is retried according to ``RetryPolicy``. If the transfer of the body fails,
  /// it ends with a ``TransportError``.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: An absolute URL, which may already have a query.
  ///   - query: Further query parameters, sorted by name. A `nil` is left out.
  ///   - body: The body.
  ///   - auth: Which credentials to send. They are sent only to the hosts that their authenticator names.
  ///   - options: The settings for this call that differ from its client's.
  /// - Returns: The body, with a response that has only status and headers.
  /// - Throws: ``CallError``.
  public func open(
    _ method: HTTPRequest.Method, _ url: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<ResponseBody> {
    try await open(Call(method, url, query: query, body: body, auth: auth, options: options))
  }

  /// Makes a call, and returns when the response's head has arrived.
  package func open(_ call: Call) async throws(CallError) -> Response<ResponseBody> {
    try await CallExecution(self, call, accepting: "*/*").openRepeating()
  }

  /// Writes a response's body to a file, and holds only a piece of it in memory at a time. An existing file is replaced
  /// once everything has arrived; otherwise it stays unchanged.
  ///
  /// - Parameters:
  ///   - url: An absolute URL.
  ///   - file: The file to write.
  ///   - query: Further query parameters, sorted by name. A `nil` is left out.
  ///   - auth: Which credentials to send. They are sent only to the hosts that their authenticator names.
  ///   - options: The settings for this call that differ from its client's; ``CallOptions/progress`` reports the
  ///     progress.
  /// - Returns: The number of bytes, with the response.
  /// - Throws: ``CallError``; ``CallError/invalidCall(_:)`` if no file can be created in the folder, in which case
  ///   nothing was sent; ``CallError/transport(_:)`` of the kind ``TransportError/Kind/other`` if the file cannot be
  ///   written or moved to its place after the request was made.
  public func download(
    _ url: String, to file: URL, query: [String: (any ParameterValue & Sendable)?] = [:],
    auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<Int> {
    try await download(Call(.get, url, query: query, auth: auth, options: options), to: file)
  }

  /// The maximum size of a response that may state that its call failed.
  private static let failureLimit = 64 << 10

  /// Writes the body of a call's response to a file.
  package func download(_ call: Call, to file: URL) async throws(CallError) -> Response<Int> {
    let execution = try CallExecution(self, call, accepting: "*/*")
    // A short name, because the file's own name may have the maximum length.
    let part = file.deletingLastPathComponent().appendingPathComponent(".part-\(UUID().uuidString)")
    func unusable(_ reason: String) -> CallError {
      .invalidCall(InvalidCall(endpoint: "download", parameter: "file", reason: .value(reason)))
    }
    // Before anything is sent: if the folder is missing, or the URL is a folder, the whole download would be wasted.
    // The file is created again when there is something to write, because a call may wait a long time for that.
    var facts = stat()
    if stat(file.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
      throw unusable("it is a folder; name a file in it")
    }
    guard (try? WritableFile(making: part)) != nil else {
      throw unusable("the file cannot be created; check the folder, its permissions and its space")
    }
    var isDone = false
    defer { if !isDone { try? FileManager.default.removeItem(at: part) } }
    func failed(_ what: String) -> CallError {
      .transport(
        TransportError(
          .other, delivery: .delivered,
          detail: "the file cannot be \(what); check the folder, its permissions and its space"))
    }
    try? FileManager.default.removeItem(at: part)
    let response = try await execution.openRepeating()
    guard let written = try? WritableFile(making: part) else { throw failed("made") }
    var count = 0
    // A short response may state that the call failed; then it is not the contents of the file.
    let limit = defaults.failures.isEmpty ? 0 : Self.failureLimit
    var beginning = Data()
    var pieces = response.value.makeAsyncIterator()
    while true {
      let piece: Data?
      do throws(TransportError) { piece = try await pieces.next() } catch { throw CallError(reading: error) }
      guard let piece else { break }
      do { try written.write(piece) } catch { throw failed("written") }
      if count < limit { beginning.append(piece) }
      count += piece.count
    }
    if count <= limit { try execution.checkFailure(response.rawResponse.with(body: beginning)) }
    // rename(2) replaces an existing file in one step.
    guard rename(part.path, file.path) == 0 else { throw failed("put in its place") }
    isDone = true
    return Response(value: count, rawResponse: response.rawResponse)
  }
}

extension APIClient {
  /// Calls an endpoint that the catalogue does not have.
  ///
  /// The call is still signed.
  ///
  /// ```swift
  /// let me = try await pets.call(.get, "2/users/me", query: ["fields": "created_at"])
  /// ```
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - pathOrURL: A path below the API's first base URL, or an absolute URL. Either may already have a query.
  ///   - query: Further query parameters, sorted by name. A `nil` is left out.
  ///   - body: The body.
  ///   - auth: Which credentials to send. They are sent only to the API's hosts, or to those that their authenticator
  ///     names.
  ///   - options: The settings for this call that differ from its client's.
  /// - Returns: The response's JSON; JSON's `null` if the response is empty, or white space.
  /// - Throws: ``CallError``.
  public func call(
    _ method: HTTPRequest.Method, _ pathOrURL: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<JSONValue> {
    try await client.json(
      Call(method, pathOrURL, below: ownBaseURLs, query: query, body: body, auth: auth, options: options))
  }

  /// Makes a call and returns the body as it arrives; see ``Client/open(_:_:query:body:auth:options:)``.
  ///
  /// - Throws: ``CallError``.
  public func open(
    _ method: HTTPRequest.Method, _ pathOrURL: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<ResponseBody> {
    try await client.open(
      Call(method, pathOrURL, below: ownBaseURLs, query: query, body: body, auth: auth, options: options))
  }

  /// Writes a response's body to a file; see ``Client/download(_:to:query:auth:options:)``.
  ///
  /// - Throws: ``CallError``.
  public func download(
    _ pathOrURL: String, to file: URL, query: [String: (any ParameterValue & Sendable)?] = [:],
    auth: CallCredentials = .automatic, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<Int> {
    try await client.download(
      Call(.get, pathOrURL, below: ownBaseURLs, query: query, auth: auth, options: options), to: file)
  }
}
