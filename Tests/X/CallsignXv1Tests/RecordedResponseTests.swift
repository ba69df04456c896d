import CallsignTesting
import CallsignXv1
import Foundation
import TestSupport
import Testing

/// Real responses of the API, as another client's tests recorded them.
@Suite struct RecordedResponseTests {
  private static let corpus = "x-v1.1-responses/recorded.jsonl"

  private struct Recording {
    let call: String
    let operation: String
    let body: Data
  }

  private static func recordings() throws -> [Recording] {
    try Corpora.objects(corpus).map { record in
      func member(_ name: String) throws -> String { try #require(record[name] as? String) }
      let (method, host, path) = try (member("method"), member("host"), member("path"))
      let endpoints = XAPIv1.endpoints.filter { endpoint in
        endpoint.method.description == method && endpoint.baseURL.description == "https://\(host)"
          && Self.matches(path, endpoint.path.description)
      }
      let names = endpoints.map(\.name.description)
      try #require(names.count == 1, "\(method) \(path) is one of \(names)")
      return Recording(call: "\(method) \(path)", operation: names[0], body: Data(try member("body").utf8))
    }
  }

  /// Whether a path is one of a template, such as `/1.1/statuses/show/{id}.json`.
  private static func matches(_ path: String, _ template: String) -> Bool {
    let (parts, wanted) = (path.split(separator: "/"), template.split(separator: "/"))
    return parts.count == wanted.count
      && zip(parts, wanted).allSatisfy { part, wanted in
        guard let open = wanted.firstIndex(of: "{"), let close = wanted.firstIndex(of: "}") else {
          return part == wanted
        }
        return part.hasPrefix(wanted[..<open]) && part.hasSuffix(wanted[wanted.index(after: close)...])
      }
  }

  @Test(
    "Every recorded body is what the method of its path expects, and nothing in it is lost",
    .needs(.corpus(corpus)))
  func bodies() throws {
    let recordings = try Self.recordings()
    #expect(recordings.count == 36)
    var withoutJSON: [String] = []
    for recording in recordings {
      guard let type = XAPIv1.responseType(of: recording.operation) else {
        withoutJSON.append(recording.operation)
        continue
      }
      do {
        let encoded = try type.init(jsonData: recording.body).jsonData()
        #expect(try Facts.text(encoded) == Facts.text(recording.body), "\(recording.call)")
      } catch {
        Issue.record("\(recording.call) as \(type): \(error)")
      }
    }
    // Responded with 204 and no body.
    #expect(withoutJSON == ["deleteDirectMessagesEventsDestroy"])
  }

  @Test(
    "The recorded values are available in Swift's terms", .needs(.corpus(corpus)))
  func values() throws {
    let recordings = try Self.recordings()
    func body(_ operation: String) throws -> Data {
      try #require(recordings.first { $0.operation == operation }).body
    }
    let timeline = try [XAPIv1.Tweet](jsonData: body("getStatusesHomeTimeline"))
    let newest = try #require(timeline.first)
    #expect(newest.idStr == String(newest.id))
    #expect(newest.createdAt == Date(timeIntervalSince1970: 1_562_984_842))
    #expect(timeline.allSatisfy { $0.user?.screenName?.isEmpty == false })
    let shown = try XAPIv1.User(jsonData: body("getUsersShow"))
    #expect(shown.idStr == "1072250532645998596")
    #expect(shown.status?.user == nil)
    let limits = try XAPIv1.RateLimitStatus(jsonData: body("getApplicationRateLimitStatus"))
    #expect(limits.resources["statuses"]?["/statuses/show/:id"]?.limit == 900)
  }
}
