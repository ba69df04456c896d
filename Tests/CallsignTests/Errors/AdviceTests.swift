import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import Testing
import XCore

@Suite("What to do about errors")
struct AdviceTests {
  @Test(
    "What users meet is answered with what helps, in description and advice",
    arguments: [
      (
        403,
        #"{"detail":"Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.","type":"https://api.twitter.com/2/problems/oauth1-permissions","title":"Forbidden"}"#,
        "permissions"
      ),
      (
        403,
        #"{"reason":"client-not-enrolled","detail":"When authenticating requests to the Twitter API v2 endpoints, you must use keys and tokens from a Twitter developer App that is attached to a Project.","type":"https://api.twitter.com/2/problems/client-forbidden","title":"Client Forbidden"}"#,
        "project"
      ),
      (
        403,
        #"{"detail":"You are not allowed to create a Tweet with duplicate content.","type":"about:blank","title":"Forbidden","status":403}"#,
        "duplicate"
      ),
      (403, #"{"errors":[{"code":187,"message":"Status is a duplicate."}]}"#, "duplicate"),
      (403, #"{"errors":[{"code":64,"message":"Your account is suspended."}]}"#, "suspended"),
      (401, #"{"errors":[{"code":135,"message":"Timestamp out of bounds."}]}"#, "clock"),
      (403, #"{"errors":[{"code":415,"message":"Callback URL not approved"}]}"#, "callback"),
      (403, #"{"errors":[{"code":186,"message":"Tweet needs to be a bit shorter."}]}"#, "shorten"),
      (
        400,
        #"{"errors":[{"message":"Your media IDs are invalid."}],"title":"Invalid Request","type":"https://api.twitter.com/2/problems/invalid-request"}"#,
        "processing"
      ),
      (400, #"{"title":"Bad Request","detail":"media category is required"}"#, "tweet_video"),
      (404, #"{"title":"Not Found Error","type":"https://api.x.com/2/problems/resource-not-found"}"#, "deleted"),
      (503, "", "later"),
    ])
  func advice(status: Int, body: String, word: String) async {
    let (error, _) = await failure(Call(endpoint())) { _ in
      TransportResponse(status: HTTPResponse.Status(code: status), body: Data(body.utf8))
    }
    #expect(error?.advice?.lowercased().contains(word) == true, "\(error?.advice ?? "")")
    let text = "\(error as Any)"
    if status != 503 { #expect(text.lowercased().contains(word)) }
    #expect(!text.contains("\n"))
    #expect((error as (any Error)?)?.localizedDescription == error?.description)
  }

  @Test("A text names what the API blames, each thing once and without values")
  func texts() async {
    let body =
      #"{"errors":[{"parameters":{"max_results":["s3cr3t"],"ids":["1"]},"message":"The `max_results` is s3cr3t"},"#
      + #"{"parameters":{"max_results":["2"],"a b\nc":["x"]},"message":"again","title":"Invalid Request"}],"#
      + #""title":"Invalid Request","detail":"d","type":"https://api.x.com/2/problems/invalid-request"}"#
    let (error, _) = await failure(Call(endpoint())) { _ in
      TransportResponse(status: .badRequest, body: Data(body.utf8))
    }
    guard case .api(let refusal)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.parameters == ["ids", "max_results"])
    #expect(refusal.summary == "400 Bad Request: Invalid Request (ids, max_results)")
    #expect(!"\(refusal)".contains("s3cr3t"))
  }

  @Test(
    "Advice fits the kind of thing that was asked for",
    arguments: [
      ("user", "account"), ("tweet", "post"), ("list", "list"), ("media", "media"), ("chess", "what it names"),
    ])
  func resources(kind: String, word: String) async {
    let body =
      #"{"errors":[{"title":"Not Found Error","resource_type":"\#(kind)","parameter":"id","resource_id":"5","#
      + #""type":"https://api.x.com/2/problems/resource-not-found"}]}"#
    let (error, _) = await failure(Call(endpoint())) { _ in
      TransportResponse(status: .notFound, body: Data(body.utf8))
    }
    #expect(error?.advice?.contains(word) == true, "\(error?.advice ?? "")")
    if kind != "user" { #expect(error?.advice?.contains("account") == (kind == "chess")) }
    #expect("\(error as Any)".contains("(id)"))
  }

  @Test("Types are open")
  func types() {
    #expect(ProblemType("https://api.x.com/2/problems/usage-capped") == .usageCapped)
    #expect(ProblemType("https://api.twitter.com/2/problems/usage-capped") == .usageCapped)
    #expect(ProblemType("about:blank") == .blank)
    #expect(ProblemType("https://api.x.com/2/problems/brand-new") == .unknown("https://api.x.com/2/problems/brand-new"))
    #expect(ProblemType("") == .unknown(""))
    #expect(ProblemType("https://api.x.com/2/problems/rule-cap").name == "rule-cap")
    #expect(XErrorCode(rawValue: 187).advice?.contains("duplicate") == true)
    #expect(XErrorCode(rawValue: 99_999).advice == nil)
  }
}
