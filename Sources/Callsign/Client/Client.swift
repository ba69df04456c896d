import CallsignJSON
import Foundation
import HTTPTypes

/// Sends calls: finds the credentials, signs each attempt, hands it to the transport, and turns the answer into a value
/// or a ``CallError``.
///
/// One client serves any number of tasks; its transport keeps the connections.
public final class Client: Sendable {
  /// How the client was set up.
  public let configuration: ClientConfiguration
  /// In the order in which they are tried against what an endpoint accepts.
  public let authenticators: [any Authenticator]
  /// What it learns of limits, shared with the clients that are derived from it.
  let state: ClientState
  /// How the called API states limits and errors; a generated API's client has those of its ``APIClient/conventions``.
  public let conventions: any APIConventions

  /// Makes a client with several kinds of credentials. Each endpoint gets the first one that it accepts.
  ///
  /// - Parameters:
  ///   - auth: The credentials, best first; none at all calls only what needs none.
  ///   - configuration: Transport, timeouts, hosts, logging.
  ///   - conventions: How the called API states limits and errors. Default: as most APIs do.
  public convenience init(
    auth: [any Authenticator], configuration: ClientConfiguration = ClientConfiguration(),
    conventions: any APIConventions = .standard
  ) {
    self.init(auth: auth, configuration: configuration, conventions: conventions, state: ClientState(configuration))
  }

  /// Makes a client that shares what another has learned.
  init(
    auth: [any Authenticator], configuration: ClientConfiguration, conventions: any APIConventions, state: ClientState
  ) {
    authenticators = auth
    self.configuration = configuration
    self.conventions = conventions
    self.state = state
  }

  /// Makes a client with one kind of credentials.
  ///
  /// - Parameters:
  ///   - auth: The credentials.
  ///   - configuration: Transport, timeouts, hosts, logging.
  ///   - conventions: How the called API states limits and errors. Default: as most APIs do.
  public convenience init(
    auth: some Authenticator, configuration: ClientConfiguration = ClientConfiguration(),
    conventions: any APIConventions = .standard
  ) {
    self.init(auth: [auth], configuration: configuration, conventions: conventions)
  }

  /// Makes a call and decodes its JSON answer.
  ///
  /// - Throws: ``CallError``, always; see its cases.
  public func send<Value: JSONDecodable>(_ call: Call) async throws(CallError) -> Response<Value> {
    let answer = try await answer(to: call)
    return Response(value: try answer.decode(), answer: answer)
  }

  /// Makes a call whose answer has no content worth decoding.
  ///
  /// - Throws: ``CallError``.
  public func send(_ call: Call) async throws(CallError) -> Response<NoContent> {
    Response(value: NoContent(), answer: try await answer(to: call))
  }

  /// Makes a call whose answer is raw bytes.
  ///
  /// - Throws: ``CallError``.
  public func data(_ call: Call) async throws(CallError) -> Response<Data> {
    var prepared = try prepare(call)
    prepared.acceptAnything()
    let answer = try await Exchange(client: self, call: prepared).answer()
    return Response(value: answer.body, answer: answer)
  }

  private func answer(to call: Call) async throws(CallError) -> RawResponse {
    try await Exchange(client: self, call: prepare(call)).answer()
  }

  /// Settles everything about a call but its credentials.
  func prepare(_ call: Call) throws(CallError) -> PreparedCall {
    do throws(InvalidCall) { return try call.prepare(configuration) } catch { throw .invalidCall(error) }
  }
}
