import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("What to do about errors")
struct AdviceTests {
  @Test(
    "Errors that users see have helpful descriptions and advice",
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
      (
        429,
        #"{"title":"UsageCapExceeded","detail":"Usage cap exceeded: Monthly product cap","period":"Monthly","type":"https://api.twitter.com/2/problems/usage-capped"}"#,
        "next period"
      ),
      (
        429,
        #"{"error":{"message":"Request exceeds account’s current package request limits. Please upgrade your package.","sent":"2018-10-24T17:06:09+00:00","transactionId":"1"}}"#,
        "larger plan"
      ),
      (
        402,
        #"{"title":"CreditsDepleted","detail":"Your enrolled account [1] does not have any credits to fulfill this request.","type":"https://api.twitter.com/2/problems/credits"}"#,
        "auto-recharge"
      ),
      (
        402,
        #"{"title":"Payment Required","detail":"credits depleted","status":402,"type":"https://api.x.com/2/problems/credits-depleted"}"#,
        "auto-recharge"
      ),
      (
        403,
        #"{"title":"SpendCapReached","detail":"Your enrolled account [1] has reached its billing cycle spend cap.","reset_date":"2026-04-14","type":"https://api.x.com/2/problems/credits"}"#,
        "which begins on 2026-04-14"
      ),
      (
        409,
        #"{"title":"ConnectionException","detail":"You must define rules using the POST /2/tweets/search/stream/rules endpoint before connecting to filtered stream.","connection_issue":"RuleConfigurationIssue","type":"https://api.twitter.com/2/problems/streaming-connection"}"#,
        "add a rule"
      ),
      (401, #"{"request":"\/1.1\/statuses\/user_timeline.json","error":"Not authorized."}"#, "protected"),
      (
        403,
        #"{"detail":"This user is not allowed to post a video longer than 2 minutes.","type":"about:blank","title":"Forbidden","status":403}"#,
        "shorten the video"
      ),
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

  @Test("A text has the API's words and names the wrong parts, each once")
  func texts() async {
    let body =
      #"{"errors":[{"parameters":{"max_results":["900"],"ids":["1"]},"message":"The `max_results` is 900"},"#
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
    #expect(
      refusal.summary
        == "400 Bad Request: Invalid Request: d; The `max_results` is 900; Invalid Request: again (ids, max_results)")
  }

  @Test(
    "Advice fits the kind of the request",
    arguments: [
      ("user", "account"), ("tweet", "post"), ("list", "list"), ("media", "media"), ("chess", "the resource"),
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

  @Test(
    "Advice on a stream's connection depends on its problem",
    arguments: [
      ("TooManyConnections", "close another"), ("RuleConfigurationIssue", "add a rule"),
      ("RulesInvalidIssue", "delete the rules"), ("ProvisioningSubscription", "set up"), ("Brand-New", "close another"),
    ])
  func connections(issue: String, words: String) {
    let problem = ProblemDetails(
      type: "https://api.x.com/2/problems/streaming-connection", document: ["connection_issue": .string(issue)])
    #expect(problem.advice?.contains(words) == true, "\(problem.advice ?? "")")
  }

  @Test(
    "A refusal with status 429 says what helps, and names a reset only for a limit that is used up",
    arguments: [
      ("streaming-connection", "46", "close another", false), ("streaming-connection", "0", "close another", true),
      ("rate-limit-exceeded", "0", "a policy that waits", true), ("unknown", "0", "a policy that waits", true),
      ("unknown", nil, "a policy that waits", true), ("unknown", "46", "call less often", false),
    ] as [(String, String?, String, Bool)])
  func otherThanRateLimits(type: String, remaining: String?, words: String, namesReset: Bool) async throws {
    var fields: HTTPFields = [try #require(HTTPField.Name("x-rate-limit-reset")): "4102444800"]
    fields[try #require(HTTPField.Name("x-rate-limit-remaining"))] = remaining
    let body =
      #"{"title":"Refused","connection_issue":"TooManyConnections","type":"https://api.x.com/2/problems/\#(type)"}"#
    let (error, _) = await failure(Call(endpoint())) { [fields] _ in
      TransportResponse(status: .tooManyRequests, headerFields: fields, body: Data(body.utf8))
    }
    guard case .rateLimited? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.advice?.contains(words) == true, "\(error?.advice ?? "")")
    let description = error?.description ?? ""
    #expect(description.contains("2100-01-01T00:00:00Z") == namesReset, "\(description)")
    #expect(description.contains("close another") == (words == "close another"), "\(description)")
  }

  @Test("A spend cap's date is quoted if it is a date")
  func resetDate() {
    for (date, text) in [("2026-04-14", "which begins on 2026-04-14"), ("s3cr3t-text", "cycle, or")] {
      let problem = ProblemDetails(title: "SpendCapReached", document: ["reset_date": .string(date)])
      #expect(problem.advice?.contains(text) == true, "\(problem.advice ?? "")")
    }
  }

  @Test(
    "Types are open",
    arguments: [
      ("https://api.x.com/2/problems/credits", ProblemType.credits),
      ("https://api.x.com/2/problems/rate-limit-exceeded", .rateLimitExceeded),
      ("https://api.x.com/2/problems/usage-capped", .usageCapped),
      ("https://api.twitter.com/2/problems/usage-capped", .usageCapped), ("about:blank", .blank),
      ("https://api.x.com/2/problems/brand-new", .unknown("https://api.x.com/2/problems/brand-new")),
      ("", .unknown("")),
    ])
  func types(text: String, type: ProblemType) {
    #expect(ProblemType(text) == type)
  }

  @Test("A type has the name that its URL ends with") func names() {
    #expect(ProblemType.rateLimitExceeded.name == "rate-limit-exceeded")
    #expect(ProblemType("https://api.x.com/2/problems/rule-cap").name == "rule-cap")
  }

  @Test("A known code has advice") func codes() {
    #expect(XErrorCode(rawValue: 187).advice?.contains("duplicate") == true)
    #expect(XErrorCode(rawValue: 99_999).advice == nil)
  }
}
