import CallsignTesting
import CallsignXv1
import Foundation
import Testing

@Suite("The text of posts in v1.1")
struct PostTextTests {
  @available(*, deprecated)
  @Test("On request, a status is counted before it is sent")
  func checked() async throws {
    // Nobody listens there: what is not refused fails to connect.
    let v1 = XAPIv1(
      auth: .oauth1(
        OAuth1(consumerKey: "key", consumerSecret: Secret("a"), token: "token", tokenSecret: Secret("b"))),
      configuration: ClientConfiguration(hosts: .all(to: "http://127.0.0.1:9"), retry: .never))
    var options = CallOptions()
    options.checksText = true
    func problem(_ status: String) async -> InvalidCall? {
      do {
        _ = try await v1.postStatusesUpdate(status: status, options: options)
        return nil
      } catch CallError.invalidCall(let problem) {
        return problem
      } catch {
        return nil
      }
    }
    let refused = await problem(String(repeating: "a+b & 日 ", count: 40))
    #expect(refused?.parameter == "status")
    #expect("\(String(describing: refused))".contains("has a length of"))
    #expect(await problem("Short + simple") == nil)
    options.textRules = .longPosts
    #expect(await problem(String(repeating: "word ", count: 100)) == nil)
  }
}
