import Callsign
import CallsignCatalogue
import CallsignJSON
import HTTPTypes

extension DynamicAPI {
  /// Sends a call and follows the operation that it starts, as a sequence of states until the operation ends.
  ///
  /// ```swift
  /// let export = try await api.start(api.operation("startExport").call(["format": "csv"]))
  /// print(try await export?.result().value)
  /// ```
  ///
  /// Each state is JSON as the API returns it.
  ///
  /// - Returns: `nil` if the operation's state cannot be requested. Nothing was sent in that case.
  /// - Throws: `CallError` from the call itself.
  public func start(_ call: DynamicCall) async throws(CallError) -> LongRunningOperation<JSONValue, JSONValue>? {
    guard let polling = Polling(call, self) else { return nil }
    let response = try await polling.needsResponse ? send(call) : startAlone(call)
    return polling.follow(Response(value: response.value, rawResponse: response.rawResponse))
  }
}

extension DynamicAPI {
  /// Sends a call whose response can be empty, whatever the catalogue says.
  private func startAlone(_ call: DynamicCall) async throws(CallError) -> DynamicResponse {
    guard case .json(let type) = call.operation.result else { return try await send(call) }
    let response: Response<JSONValue?> = try await client.start(call.call)
    let (value, rawResponse): (JSONValue?, RawResponse) = (response.value, response.rawResponse)
    guard let value else { return DynamicResponse(value: .null, rawResponse: rawResponse, issues: []) }
    return try checked(Response(value: value, rawResponse: rawResponse), type)
  }
}

/// How to ask for the state of an operation, in the runtime's terms.
private struct Polling {
  private let plan: OperationPoll
  private let call: DynamicCall
  private let api: DynamicAPI
  private let asked: DynamicOperation?
  private let cancelling: DynamicOperation?

  /// - Returns: `nil` if the operation ends with its response.
  init?(_ call: DynamicCall, _ api: DynamicAPI) {
    guard let plan = call.operation.endpoint.poll else { return nil }
    self.plan = plan
    self.call = call
    self.api = api
    do throws(UnknownOperation) {
      asked = if case .endpoint(let name) = plan.place { try api.operation(name) } else { nil }
      cancelling = if let name = plan.cancel { try api.operation(name) } else { nil }
    } catch { return nil }
  }

  func follow(_ started: Response<JSONValue>) -> LongRunningOperation<JSONValue, JSONValue> {
    let interval = Duration.milliseconds(plan.interval)
    let (done, failed) = (plan.done.map(Self.sign), plan.failed.map(Self.sign))
    var operation: LongRunningOperation<JSONValue, JSONValue>
    if let asked {
      operation = LongRunningOperation(api.client, started, every: interval, done: done, failed: failed) {
        () async throws(CallError) in try await send(asked, after: started)
      }
    } else {
      operation = LongRunningOperation(
        api.client, started, at: url(started), below: api.client.filled(api.catalogue.api.hosts.map(\.template)),
        every: interval, done: done, failed: failed)
    }
    if !beginsWithState { operation = operation.beginningWithStatusRequest() }
    guard let cancelling else { return operation }
    return operation.cancelled { () async throws(CallError) in _ = try await send(cancelling, after: started) }
  }

  /// Whether asking for the state requires values from the first response.
  var needsResponse: Bool {
    if case .url = plan.place { true } else { !plan.arguments.isEmpty }
  }

  /// Whether the first response has the type of a state. The generated method then uses it as the first state.
  private var beginsWithState: Bool {
    guard let returns = call.operation.endpoint.returns else { return false }
    let state = asked.map(\.endpoint.returns) ?? plan.state ?? returns
    return state.map { api.models.resolved($0).kind } == api.models.resolved(returns).kind
  }

  private func url(_ started: Response<JSONValue>) -> String? {
    switch plan.place {
    case .header(let name): HTTPField.Name(name).flatMap { started.rawResponse.headers[$0] }
    case .url(let path): started.value.value(at: path)?.string
    case .endpoint: nil
    }
  }

  private func send(
    _ operation: DynamicOperation, after started: Response<JSONValue>
  ) async throws(CallError) -> Response<JSONValue> {
    var arguments: [String: JSONValue] = [:]
    for parameter in operation.endpoint.parameters where parameter.constant == nil {
      if let argument = plan.arguments.first(where: { $0.name == parameter.name }) {
        arguments[parameter.name] = started.value.value(at: argument.value).map {
          api.models.argument($0, of: parameter.type)
        }
      } else if !parameter.type.isOptional {
        arguments[parameter.name] = call.arguments[parameter.name]
      }
    }
    let next: DynamicCall
    do throws(ArgumentError) {
      next = try operation.call(arguments, policy: ArgumentPolicy(checksBounds: false))
    } catch {
      let problems = error.problems.map(\.description).joined(separator: "; ")
      throw .invalidCall(InvalidCall(endpoint: operation.name, reason: .value(problems)))
    }
    let response = try await api.send(next)
    return Response(value: response.value, rawResponse: response.rawResponse)
  }

  private static func sign(_ sign: CallsignCatalogue.FailureSign) -> Callsign.FailureSign {
    Callsign.FailureSign(sign.path, values: sign.values, isNegated: sign.isNegated)
  }
}
