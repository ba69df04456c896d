import CallsignMockServer

extension ConsoleServer {
  /// The console's response to a request; `nil` if the request is not for the console.
  func response(to request: IncomingRequest) async -> XSandbox.Response? {
    let found = await response(
      Request(method: request.method, path: request.path, query: request.query, body: request.body) {
        request.header($0)
      })
    guard let found else { return nil }
    var response = XSandbox.Response(status: found.status)
    response.headers = found.headers.map { HeaderField(name: $0.name, value: $0.value) }
    response.body = .bytes(found.body)
    return response
  }
}
