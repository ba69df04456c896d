import Callsign
import CallsignTesting
import CallsignX
import Foundation

/// The rules endpoints of X in memory: ids, pages, duplicates, invalid rules and dry runs as X has them.
///
/// `@unchecked Sendable`: every access to what changes holds the lock.
final class RuleBook: @unchecked Sendable {
  private let lock = NSLock()
  private var rules: [(id: Int, value: String, tag: String?)] = []
  private var nextID = 1
  private var steps: [String] = []

  /// How many rules a page has.
  private static let pageSize = 2

  init(_ rules: [StreamRule] = []) { for rule in rules { insert(rule.value, rule.tag) } }

  /// `value#tag` of each rule, in the order of the ids.
  var contents: [String] { lock.withLock { rules.map { "\($0.value)#\($0.tag ?? "")" } } }
  /// The ids of the rules.
  var ids: [String] { lock.withLock { rules.map { "\($0.id)" } } }
  /// The requests, in order.
  var log: [String] { lock.withLock { steps } }

  var x: XAPI {
    let transport = InMemoryTransport { [self] request throws(TransportError) in
      let body = try await request.body.collect()
      return lock.withLock { respond(request, body) }
    }
    return XAPI(auth: .bearer("app-token"), configuration: ClientConfiguration(transport: transport))
  }

  private func insert(_ value: String, _ tag: String?) {
    rules.append((nextID, value, tag))
    nextID += 1
  }

  private func respond(_ request: TransportRequest, _ body: Data) -> TransportResponse {
    let components = URLComponents(string: request.head.path ?? "")
    let query = Dictionary(
      (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    guard components?.path == "/2/tweets/search/stream/rules" else { return .json("{}", status: .notFound) }
    if request.head.method == .get { return page(query["pagination_token"]) }
    let isDry = query["dry_run"] == "true"
    let document = (try? JSONValue(jsonData: body)) ?? .null
    steps.append((isDry ? "dry " : "") + ((try? document.jsonString()) ?? ""))
    let before = rules
    defer { if isDry { rules = before } }
    return document["add"].map(add) ?? delete(document["delete"] ?? .null)
  }

  private func page(_ token: String?) -> TransportResponse {
    let start = token.flatMap { Int($0.prefix { $0 != "-" }) } ?? 0
    let end = min(start + Self.pageSize, rules.count)
    let data = rules[min(start, end)..<end].map { rule(of: $0) }
    // A token has sixteen characters.
    let next =
      end < rules.count ? #","next_token":"\#(end)\#(String(repeating: "-", count: 16 - "\(end)".count))""# : ""
    return .json(#"{"data":[\#(data.joined(separator: ","))],"meta":{"sent":"2026"\#(next)}}"#)
  }

  private func rule(of rule: (id: Int, value: String, tag: String?)) -> String {
    #"{"id":"\#(rule.id)","value":"\#(rule.value)"\#(rule.tag.map { #","tag":"\#($0)""# } ?? "")}"#
  }

  private func add(_ list: JSONValue) -> TransportResponse {
    var added: [String] = []
    var errors: [String] = []
    for new in list.array ?? [] {
      let value = new["value"]?.string ?? ""
      if rules.contains(where: { $0.value == value }) {
        errors.append(
          #"{"title":"DuplicateRule","value":"\#(value)","type":"https://api.twitter.com/2/problems/duplicate-rules"}"#)
      } else if value.isEmpty || value.contains("(") {
        errors.append(
          #"{"title":"UnprocessableEntity","value":"\#(value)","type":"https://api.twitter.com/2/problems/invalid-rules"}"#
        )
      } else {
        insert(value, new["tag"]?.string)
        if let last = rules.last { added.append(rule(of: last)) }
      }
    }
    let problems = errors.isEmpty ? "" : #","errors":[\#(errors.joined(separator: ","))]"#
    let data = added.isEmpty ? "" : #""data":[\#(added.joined(separator: ","))],"#
    return .json(
      #"{\#(data)"meta":{"sent":"2026","summary":{"created":\#(added.count),"not_created":\#(errors.count)}}\#(problems)}"#,
      status: .created)
  }

  private func delete(_ which: JSONValue) -> TransportResponse {
    let ids = Set((which["ids"]?.array ?? []).compactMap(\.string))
    let values = Set((which["values"]?.array ?? []).compactMap(\.string))
    let before = rules.count
    rules.removeAll { ids.contains("\($0.id)") || values.contains($0.value) }
    let deleted = before - rules.count
    let missed = ids.count + values.count - deleted
    let problems = missed == 0 ? "" : #","errors":[{"title":"Invalid Request","detail":"no such rule"}]"#
    return .json(
      #"{"meta":{"sent":"2026","summary":{"deleted":\#(deleted),"not_deleted":\#(missed)}}\#(problems)}"#)
  }
}
