import CallsignX
import TestSupport
import Testing

@testable import XAPITool

@Suite("twitter-text's conformance cases", .needs(.corpus("twitter-text")))
struct ConformanceTests {
  private typealias Outcome = ConformanceCase.Outcome

  @Test("All cases hold", arguments: ["autolink", "extract", "hit_highlighting", "tlds", "validate"])
  func cases(of file: String) throws {
    let cases = try ConformanceCase.all(of: file)
    #expect(!cases.isEmpty)
    for test in cases {
      switch TextComparison.outcome(of: try test.line) {
      case .result(let result): #expect(Outcome(result) == test.expected, "\(test)")
      case .failure(let reason): Issue.record("\(test): \(reason)")
      }
    }
  }

  @Test("A line that is not a case gets an error")
  func noCase() {
    for line in ["", "{", "{}", #"{"test":"extract/nothing","text":"a"}"#, #"{"test":"hit_highlighting/plain_text"}"#] {
      guard case .failure = TextComparison.outcome(of: line) else {
        Issue.record("\(line) has a response")
        continue
      }
    }
  }

  @Test("Options have the names of twitter-text")
  func options() {
    let line = ##"{"test":"autolink/all","text":"@a","options":{"username_class":"u","usernameIncludeSymbol":true}}"##
    #expect(
      TextComparison.outcome(of: line)
        == .result(.string(#"<a class="u" href="https://twitter.com/a">@a</a>"#)))
    #expect(TextComparison.outcome(of: line).line.hasPrefix(#"{"result":"<a class=\"u\""#))
  }
}

extension ConformanceCase.Outcome {
  fileprivate init(_ value: JSONValue) {
    switch value {
    case .null: self = .value("null")
    case .bool(let flag): self = .value("\(flag)")
    case .integer(let number): self = .value("\(number)")
    case .string(let text): self = .value(text)
    case .array(let values): self = .list(values.map(Self.init))
    case .object(let members): self = .object(members.mapValues(Self.init))
    default: self = .value("\(value)")
    }
  }
}
