import CallsignTesting
import CallsignXv1
import Foundation
import HTTPTypes
import Testing

@Suite struct ErrorCodeTests {
  private func error(_ status: HTTPResponse.Status, _ body: String) async throws -> CallError {
    let (error, count) = await Recorder.failure(body, status: status) { v1 throws(CallError) in
      _ = try await v1.getUsersShow(user: .id("12"))
    }
    #expect(count == 1)
    return try #require(error)
  }

  @Test("Codes are found in every form of the API's errors")
  func shapes() async throws {
    let list = try await error(.notFound, #"{"errors":[{"code":34,"message":"Gone"},{"code":50,"message":"Nobody"}]}"#)
    #expect(list.v1Codes == [.notFound, .userNotFound])
    #expect(list.problems.map(\.detail) == ["Gone", "Nobody"])
    let text = try await error(.forbidden, #"{"errors":"Validation failed"}"#)
    #expect(text.v1Codes.isEmpty)
    #expect(text.problems.map(\.detail) == ["Validation failed"])
    let request = try await error(.forbidden, #"{"error":"Not authorized.","request":"\/1.1\/users\/show.json"}"#)
    #expect(request.problems.map(\.detail) == ["Not authorized."])
    #expect(request.problems.first?.document.object?["request"] == "/1.1/users/show.json")
    let state = try await error(.badRequest, #"{"error":null,"state":"Failed"}"#)
    #expect(state.problems.map(\.title) == ["Failed"])
    let xml = try await error(
      .unauthorized, #"<?xml version="1.0" encoding="UTF-8"?><errors><error code="32">No.</error></errors>"#)
    #expect(xml.v1Codes == [.couldNotAuthenticate])
    #expect(xml.problems.map(\.detail) == ["No."])
    guard case .authorization(let problem) = xml else {
      Issue.record("\(xml)")
      return
    }
    #expect(problem.advice.contains("secret"))
  }

  @Test("A code that is not known is kept; a known one is the same however it is written")
  func open() async throws {
    #expect(try await error(.badRequest, #"{"errors":[{"code":9999,"message":"m"}]}"#).v1Codes == [.unknown(9999)])
    #expect(XAPIv1.ErrorCode(rawValue: 9999).advice == nil)
    #expect(XAPIv1.ErrorCode.unknown(144) == .tweetNotFound)
    #expect(Set([XAPIv1.ErrorCode.unknown(144), .tweetNotFound, 144]).count == 1)
    #expect(XAPIv1.ErrorCode(rawValue: 144) == .tweetNotFound)
    for code in XAPIv1.ErrorCode.knownCases {
      #expect(XAPIv1.ErrorCode(rawValue: code.rawValue) == code)
      if case .unknown = XAPIv1.ErrorCode(rawValue: code.rawValue) { Issue.record("\(code.rawValue) is not known") }
      #expect(code.advice?.isEmpty == false)
    }
  }

  @Test("The codes that any of the other clients knows are known")
  func known() {
    #expect(
      XAPIv1.ErrorCode.knownCases.map(\.rawValue) == [
        3, 13, 17, 32, 34, 36, 38, 44, 50, 63, 64, 68, 87, 88, 89, 92, 93, 99, 120, 130, 131, 135, 139, 144, 150, 151,
        160, 161, 179, 185, 186, 187, 195, 205, 214, 215, 220, 226, 231, 251, 261, 271, 272, 323, 324, 325, 326, 327,
        349, 354, 355, 385, 386, 407, 415, 416, 417, 421, 422, 425, 433, 453,
      ])
  }

  @Test(
    "Advice says what helps",
    arguments: [
      (XAPIv1.ErrorCode.couldNotAuthenticate, "secret"), (.notFound, "deprecated"), (.accountSuspended, "owner"),
      (.clientNotPermitted, "developer portal"), (.rateLimitExceeded, "reset"), (.invalidOrExpiredToken, "log in"),
      (.directMessagesNotPermitted, "direct messages"), (.internalError, "again"), (.timestampOutOfBounds, "clock"),
      (.tweetNotFound, "id"), (.dailyTweetLimitReached, "hours"), (.tweetTooLong, "shorten"),
      (.duplicateTweet, "change the text"), (.badAuthenticationData, "authenticator"),
      (.credentialsNotAllowed, "another kind"), (.looksAutomated, "less"), (.appCannotWrite, "permissions"),
      (.accountLocked, "unlock"), (.subscriptionExists, "success"),
    ])
  func advice(code: XAPIv1.ErrorCode, word: String) {
    #expect(code.advice?.contains(word) == true)
    #expect(code.description.hasPrefix("\(code.rawValue): "))
  }

  @Test("A code is enough to make a rate limit")
  func rateLimit() async throws {
    let limited = try await error(.badRequest, #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#)
    guard case .rateLimited = limited else {
      Issue.record("\(limited)")
      return
    }
    #expect(limited.v1Codes == [.rateLimitExceeded])
  }

  @Test("Errors that did not come from the API have no codes")
  func none() async {
    let (error, _) = await Recorder.failure("{}") { v1 throws(CallError) in
      _ = try await v1.getUsersShow(user: .id("12"))
    }
    guard case .decoding = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.v1Codes.isEmpty == true)
  }
}
