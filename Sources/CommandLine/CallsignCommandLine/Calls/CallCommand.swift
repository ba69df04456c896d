import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import Dispatch
import Foundation

/// One call from a command line: its words become arguments, and its response becomes the result.
package struct CallCommand: Sendable {
  /// The API to call.
  package struct Target: Sendable {
    package let catalogue: Catalogue
    package let operation: String
    /// The words before the parameters, for the help.
    package let command: String
    /// The command that logs in; `nil` if it cannot store credentials of the kinds that the operation accepts.
    package let login: String?
    /// The prefix of environment variables, without the underscore.
    package let prefix: String
    package let conventions: any APIConventions
    /// The credentials, in order of preference.
    package let credentials: @Sendable (CallWords.Options) async throws -> [any Authenticator]
    /// The base URL for all requests; `nil` uses the API's hosts.
    package let place: @Sendable (CallWords.Options) throws -> String?

    package init(
      catalogue: Catalogue, operation: String, command: String, login: String?, prefix: String,
      conventions: any APIConventions = .standard,
      credentials: @escaping @Sendable (CallWords.Options) async throws -> [any Authenticator],
      place: @escaping @Sendable (CallWords.Options) throws -> String? = { $0.baseURL }
    ) {
      self.catalogue = catalogue
      self.operation = operation
      self.command = command
      self.login = login
      self.prefix = prefix
      self.conventions = conventions
      self.credentials = credentials
      self.place = place
    }
  }

  private let target: Target
  private let terminal: Terminal

  package init(_ target: Target, terminal: Terminal = Terminal()) {
    self.target = target
    self.terminal = terminal
  }

  /// Logs requests and responses without secrets.
  package static func trace(_ terminal: Terminal) -> any Middleware { VerboseTrace(terminal: terminal) }

  /// Makes the call, and ends cleanly if it is interrupted.
  package func run(_ words: [String]) async -> ExitStatus {
    await CommandRun(terminal).run { try await call(words) }
  }

  private func call(_ words: [String]) async throws {
    let probe = DynamicAPI(target.catalogue)
    let operation = try operation(of: probe)
    let standardInput = StandardInput()
    let texts = ArgumentTexts(operation, standardInput: standardInput)
    let parsed = try CallWords(words) { texts.isFlag($0) }
    let options = parsed.options
    if options.isHelp {
      let help = OperationHelp(operation, command: target.command, api: target.catalogue.api)
      return try terminal.write(help.text + "\n" + OperationHelp.options)
    }
    if options.account != nil, options.credentials == nil,
      operation.endpoint.parameters.contains(where: { $0.name == "account" })
    {
      throw CommandLineError(
        "--account is an option of the program, and goes with --credentials; for the parameter, write account=…")
    }
    let body = try options.data.map { Data($0.utf8) } ?? options.body.map { try standardInput.body($0) }
    let arguments = try texts.arguments(parsed.parameters, body: body)
    var callOptions = CallOptions()
    callOptions.deadline = options.timeout.map { .seconds($0) }
    callOptions.idempotencyKey = try options.idempotencyKey.map { (key) throws(CommandLineError) in
      try Self.checked(key, for: operation)
    }
    let policy = ArgumentPolicy(checksBounds: options.checksBounds, readsFiles: true)
    let call: DynamicCall
    do throws(ArgumentError) {
      call = try operation.call(arguments, policy: policy, options: callOptions)
    } catch { throw error.suggestingOptions() }
    let isOffline = options.isDryRun || options.printsCurl
    var configuration = ClientConfiguration()
    if let url = try target.place(options) {
      let host = target.catalogue.api.host(of: operation.endpoint)
      configuration.hosts = .all(to: url, insteadOf: host.map { [$0] } ?? [])
    } else if let reason = operation.lackOfServer {
      throw CommandLineError(reason)
    }
    configuration.redaction = Redaction([target.catalogue])
    if options.isVerbose {
      configuration.middleware = [VerboseTrace(terminal: terminal, redaction: configuration.redaction)]
    }
    let files = CertificateFiles(
      certificate: options.certificate, key: options.certificateKey, authorities: options.certificateAuthorities)
    if !isOffline, !files.isEmpty {
      let preview = try DynamicAPI(target.catalogue, configuration: configuration).preview(call)
      if let transport = try files.transport(to: [preview.url.origin]) { configuration.transport = transport }
    }
    let api = DynamicAPI(
      target.catalogue, auth: isOffline ? [] : try await target.credentials(options), configuration: configuration,
      conventions: target.conventions)
    if options.printsCurl { return try terminal.write(try api.curlCommand(for: call) + "\n") }
    if options.isDryRun { return try await preview(try api.preview(call), operation) }
    do { try await send(call, api, options) } catch let error as CallError {
      guard case .authorization(let problem) = error, case .noneAccepted = problem.reason else { throw error }
      let ways = CredentialSources(prefix: target.prefix).ways(
        to: operation.endpoint, of: target.catalogue.api, login: target.login)
      throw CommandLineError("\(error)\n  \(ways)", ExitStatus(error))
    }
  }

  /// The operation to call.
  ///
  /// - Throws: `UnknownOperation`, or `CommandLineError` if the name is not a typing error but its words occur in other operations.
  private func operation(of api: DynamicAPI) throws -> DynamicOperation {
    do throws(UnknownOperation) { return try api.operation(target.operation) } catch {
      let clause = OperationList(target.catalogue).clause(for: target.operation)
      if error.suggestion != nil || clause.isEmpty { throw error }
      throw CommandLineError("\(error)" + clause)
    }
  }

  /// An idempotency key, if the operation takes one.
  private static func checked(_ key: String, for operation: DynamicOperation) throws(CommandLineError) -> String {
    guard operation.facts.idempotencyField != nil else {
      let names = operation.endpoint.parameters.map(\.name)
      let own = names.first { $0.lowercased().replacing("_", with: "-") == "idempotency-key" }
      let advice = own.map { "for its parameter, write \($0)=…" } ?? "leave --idempotency-key out"
      throw CommandLineError("\(operation.name) takes no key; \(advice)")
    }
    guard !key.isEmpty else { throw CommandLineError("--idempotency-key needs a key; this one is empty") }
    return key
  }

  // MARK: Results

  private func send(_ call: DynamicCall, _ api: DynamicAPI, _ options: CallWords.Options) async throws {
    let isStream = call.operation.isStream
    let format = options.format ?? .json
    let writer = ResultWriter(
      format, fields: options.fields, terminal: terminal, filter: options.filter, writesRawText: options.writesRawText)
    if isStream, let stream = api.stream(call) {
      return try await within(options, or: .temporary) {
        try await RecordOutput(writer, maximumCount: options.maximumItems).write(stream) { record in
          api.issues(in: record, of: call.operation)
        }
      }
    }
    if options.takesAllPages {
      guard let pages = api.pages(call) else {
        throw CommandLineError("\(call.operation.name) has no pages; leave --all out")
      }
      return try await within(options, or: .unavailable) {
        try await read(options.maximumItems.map { pages.limit($0) } ?? pages, writer, options)
      }
    }
    if options.maximumItems != nil { throw CommandLineError("--max-items goes with --all; nothing was sent") }
    let began = ContinuousClock.now
    if !options.returnsAtOnce, let operation = try await api.start(call) {
      let limit = options.timeout.map { .seconds($0) - began.duration(to: .now) }
      let state = try await WatchedOperation(OperationWait(operation, of: call.operation), terminal).end(within: limit)
      return try writer.write(state.value, state.rawResponse, items: nil)
    }
    if let response = try await api.content(call) { return try await write(response, writer, options) }
    let response = try await api.send(call)
    terminal.report(response.issues)
    try writer.write(response.value, response.rawResponse, items: call.operation.items(of: response.value))
  }

  /// Writes a response whose type is not in the catalogue.
  private func write(
    _ response: Response<ResponseContent>, _ writer: ResultWriter, _ options: CallWords.Options
  ) async throws {
    switch response.value {
    case .json(let value): try writer.write(value, response.rawResponse, items: nil)
    case .text, .bytes: try writer.write(.null, response.rawResponse, items: nil)
    case .events(let records), .lines(let records):
      try await within(options, or: .temporary) {
        var layout: ColumnLayout?
        for try await record in records { try writer.write(rows: [record], layout: &layout) }
      }
    }
  }

  /// Reads pages or a stream until the timeout. The deadline of a call applies only to a single response.
  ///
  /// - Throws: The exit status if the time ran out first.
  private func within(
    _ options: CallWords.Options, or status: ExitStatus, _ read: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let seconds = options.timeout else { return try await read() }
    let isDone = try await withThrowingTaskGroup(of: Bool.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        try await read()
        return true
      }
      group.addTask {
        do { try await Task.sleep(for: .seconds(seconds)) } catch { throw CallError.cancelled }
        return false
      }
      return try await group.next() ?? true
    }
    if isDone { return }
    terminal.endProgress()
    terminal.report("error: the time that --timeout gives is over; what was read until then is written")
    throw status
  }

  private func read(_ pages: DynamicPages, _ writer: ResultWriter, _ options: CallWords.Options) async throws {
    var (pageCount, itemCount) = (0, 0)
    var layout: ColumnLayout?
    for try await page in pages {
      let left = options.maximumItems.map { $0 - itemCount } ?? .max
      let items = Array(page.items.prefix(left))
      terminal.endProgress()
      terminal.report(page.response.issues)
      try writer.write(rows: items, layout: &layout)
      pageCount += 1
      itemCount += items.count
      terminal.progress(
        ProgressLine(
          done: itemCount, total: options.maximumItems,
          words: "\(itemCount) elements on \(pageCount) page\(pageCount == 1 ? "" : "s") …"
        ).text(width: terminal.width))
      if itemCount >= options.maximumItems ?? .max { break }
    }
    terminal.endProgress()
    terminal.report("\(itemCount) elements on \(pageCount) page\(pageCount == 1 ? "" : "s")")
  }

  /// Prints a request that is not sent.
  private func preview(_ request: TransportRequest, _ operation: DynamicOperation) async throws {
    let redaction = Redaction([target.catalogue])
    var text = "\(request.method.rawValue) \(redaction.url(of: request))\n"
    for field in request.headerFields { text += "\(field.name.rawName): \(redaction.value(field))\n" }
    switch request.body {
    case .none: break
    case .data(let data):
      let shown = redaction.body(data, contentType: request.headerFields[.contentType])
      text += "\n" + (String(data: shown, encoding: .utf8) ?? "‹\(data.count) bytes›") + "\n"
    case .stream: text += "\n‹a body that is read while it is sent›\n"
    }
    try terminal.write(text)
    if !operation.facts.auth.isEmpty { terminal.report("not sent; it takes credentials: \(operation.facts.auth)") }
  }
}

extension ArgumentError {
  /// The same with the program's options as suggestions for names that resemble no parameter.
  fileprivate func suggestingOptions() -> ArgumentError {
    ArgumentError(
      operation: operation,
      problems: problems.map { problem in
        guard problem.kind == .unknown(suggestion: nil) else { return problem }
        let option = CallWords.closestOption(to: problem.parameter)
        return ArgumentProblem(
          parameter: problem.parameter, kind: .unknown(suggestion: option), allowed: problem.allowed)
      })
  }
}

extension DynamicOperation {
  /// The reason why nothing is sent if the API's document does not name its server, for example because it has only a path instead
  /// of a URL. An import then uses a host name that cannot exist (RFC 2606 §2).
  var lackOfServer: String? {
    guard AbsoluteURL(facts.baseURL)?.host.hasSuffix(".invalid") == true else { return nil }
    return "\(name) was not sent: the API's document names no server; give its base URL with --base-url URL"
  }
}
