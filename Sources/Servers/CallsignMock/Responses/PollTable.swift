import CallsignCatalogue
import CallsignJSON
import Foundation
import HTTPTypes

/// The operations of a catalogue that continue after their response, and the places of their states.
struct PollTable: Sendable {
  /// An endpoint that returns the state, with a path below that of the endpoint that starts the operation.
  struct Place: Sendable {
    /// The template for the rest of the path: `/{id}/status`.
    var rest: String
    /// The only parameter in it.
    var parameter: Parameter
  }

  /// The endpoints whose operations have their state at a URL, by name.
  private let started: [String: Endpoint]
  private let places: [String: Place]
  /// The rules for recognizing that an operation is over, by the name of the endpoint that returns the state.
  private let asked: [String: OperationPoll]
  /// The prefix of the mock's own paths, for states that no endpoint returns.
  private static let ownPath = "/callsign-operations/"

  init(_ catalogue: Catalogue, _ types: ModelIndex) {
    let endpoints = catalogue.groups.flatMap(\.endpoints)
    var started: [String: Endpoint] = [:]
    var places: [String: Place] = [:]
    var asked: [String: OperationPoll] = [:]
    for endpoint in endpoints {
      guard let poll = endpoint.poll else { continue }
      if case .endpoint(let name) = poll.place {
        asked[name] = poll
        continue
      }
      started[endpoint.name] = endpoint
      // Another endpoint's responses have their own meaning and may never say that this operation is over.
      if poll.done.isEmpty, let place = Self.place(of: endpoint, poll, endpoints, types) {
        places[endpoint.name] = place
      }
    }
    (self.started, self.places, self.asked) = (started, places, asked)
  }

  private static func place(
    of start: Endpoint, _ poll: OperationPoll, _ endpoints: [Endpoint], _ types: ModelIndex
  ) -> Place? {
    let base = start.path.hasSuffix("/") ? String(start.path.dropLast()) : start.path
    for endpoint in endpoints where endpoint.method == "GET" && endpoint.path.hasPrefix(base + "/") {
      let rest = String(endpoint.path.dropFirst(base.count))
      let needed = endpoint.parameters.filter { !$0.type.isOptional }
      let own = needed.filter { rest.contains("{\($0.name)}") }
      let isAlone = needed.allSatisfy { $0.place == .path } && endpoint.stream == nil && endpoint.host == start.host
      guard isAlone, own.count == 1, rest.count(where: { $0 == "{" }) == 1, let returns = endpoint.returns else {
        continue
      }
      guard let state = poll.state ?? start.returns else { return Place(rest: rest, parameter: own[0]) }
      if case .scalar(.json) = types.resolve(state).kind { return Place(rest: rest, parameter: own[0]) }
      if types.isSame(state, returns) { return Place(rest: rest, parameter: own[0]) }
    }
    return nil
  }

  func place(of start: Endpoint) -> Place? { places[start.name] }

  func poll(asking endpoint: Endpoint) -> OperationPoll? { asked[endpoint.name] }

  func ownPath(of start: Endpoint) -> String { Self.ownPath + ResponseMaker.encoded(start.name) }

  /// The endpoint that started the operation behind one of the mock's own paths; `nil` for other paths.
  func start(at path: String) -> Endpoint? {
    guard path.hasPrefix(Self.ownPath) else { return nil }
    return started[FormText.decoded(path.dropFirst(Self.ownPath.count), plusIsSpace: false)]
  }
}

// MARK: Responses

extension ResponseMaker {
  /// Adds the place of the state to the response that starts an operation, if the state is at a URL.
  func addPlace(of endpoint: Endpoint, _ seed: Seed, _ request: IncomingRequest, to response: inout Response) {
    switch endpoint.poll?.place {
    case .header(let name):
      guard let name = HTTPField.Name(name), response.headers[name] == nil else { return }
      response.headers[name] = stateURL(of: endpoint, seed, request, response.value)
    case .url(let path): response.value.set(.string(stateURL(of: endpoint, seed, request, response.value)), at: path)
    case .endpoint, nil: break
    }
  }

  private func stateURL(
    of endpoint: Endpoint, _ seed: Seed, _ request: IncomingRequest, _ response: JSONValue
  ) -> String {
    guard let place = polls.place(of: endpoint) else { return request.origin + polls.ownPath(of: endpoint) }
    let type = place.parameter.type
    let given = response["id"].flatMap { generator.accepts($0, type) ? $0 : nil }
    let id = given ?? generator.value(type, seed.derived("operation"), name: place.parameter.name)
    let rest = place.rest.replacingOccurrences(
      of: "{\(place.parameter.name)}", with: Self.encoded(ParameterText.plain(id) ?? "1"))
    let base = request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path
    return request.origin + base + rest
  }

  static func encoded(_ text: String) -> String {
    PathUnit.text(text.utf8.map { PathUnit(byte: $0, isEncoded: !PathUnit.isUnreserved($0)) })
  }

  /// The state of a finished operation, for one of the mock's own paths.
  func lastState(of endpoint: Endpoint, _ poll: OperationPoll) -> JSONValue {
    let type = poll.state ?? endpoint.returns ?? TypeReference(.scalar(.json))
    var value = generator.value(type, seed.derived(endpoint.name).derived("state"), name: "state")
    if value.object == nil, !poll.done.isEmpty { value = .object([:]) }
    end(poll, type, &value)
    return value
  }

  /// Changes a state that would say that the operation has failed.
  func avoidFailures(of poll: OperationPoll, _ type: TypeReference, _ value: inout JSONValue) {
    for sign in poll.failed where isShown(sign, in: value) {
      set(sign, isShown: false, type, &value, without: poll.failed.filter { $0 != sign })
    }
  }

  /// Changes a state so that it says that the operation has succeeded. Otherwise a client would poll forever.
  func end(_ poll: OperationPoll, _ type: TypeReference, _ value: inout JSONValue) {
    avoidFailures(of: poll, type, &value)
    guard let sign = poll.done.first, !poll.done.contains(where: { isShown($0, in: value) }) else { return }
    set(sign, isShown: true, type, &value, without: poll.failed)
  }
}
