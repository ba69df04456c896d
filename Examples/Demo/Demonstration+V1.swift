import Callsign
import CallsignX
import CallsignXv1
import XSandbox

/// X retired some of these endpoints, so that calling them is a warning. Through a protocol it is none: whoever runs the demonstration means it.
protocol RetiredCalls {
  func callVersion1() async throws
}

extension Demonstration: RetiredCalls {
  /// The same store through REST v1.1, with the credentials of the same client.
  @available(*, deprecated)
  func callVersion1() async throws {
    report.heading("The same client speaks REST v1.1")
    let v1 = XAPIv1(client: x.client)

    let me = try await v1.getAccountVerifyCredentials(skipStatus: true)
    report.step(
      "getAccountVerifyCredentials()", "@\(me.screenName ?? "nobody"), created \(me.createdAt?.description ?? "never")")

    let tweet = try await v1.postStatusesUpdate(status: "Tea & scones + 100% cream").value
    report.step("postStatusesUpdate(status:)", "sent \(await lastBody())")

    let whole = try await v1.getStatusesShow(id: tweet.idStr)
    report.step("getStatusesShow(id:)", "by @\(whole.user?.screenName ?? "nobody")")
    let trimmed = try await v1.getStatusesShow(id: tweet.idStr, trimUser: true)
    report.step(
      "getStatusesShow(id:trimUser: true)", "by \(trimmed.user?.screenName ?? "user \(trimmed.user?.idStr ?? "")")")

    let favourite = try await v1.postFavoritesCreate(id: tweet.idStr)
    report.step("postFavoritesCreate(id:)", "favourites: \(favourite.favoriteCount ?? 0)")

    let page = try await v1.getFollowersIds(user: .screenName("star"), count: 1_000)
    report.step("getFollowersIds(user:count:)", "\(page.ids.count) ids, next cursor \(page.nextCursorStr ?? "0")")

    do {
      _ = try await v1.postFavoritesCreate(id: tweet.idStr)
    } catch {
      report.failure("postFavoritesCreate(id:), again", "\(error)")
      if let advice = error.v1Codes.first?.advice { report.detail("what to do", advice) }
    }
  }
}
