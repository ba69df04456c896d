import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The provider's time, as far as this machine's differs from it. All copies of an authenticator share one.
final class OAuth1Clock: Sendable {
  /// The seconds to add to this machine's time.
  private let offset = Locked<TimeInterval>(0)

  /// Beyond this, a 401 that names no reason is taken for the clock's fault. Providers accept five minutes.
  private static let suspicion: TimeInterval = 120

  /// `oauth_timestamp` for a request that is sent now.
  func timestamp(_ time: any TimeSource) -> String {
    // A time that does not fit an integer is not the time of any clock.
    String(Int(exactly: (time.now().timeIntervalSince1970 + offset.withLock { $0 }).rounded(.down)) ?? 0)
  }

  /// Takes the time from a refusal that is about the timestamp, or seems to be.
  ///
  /// - Returns: Whether the request would carry another timestamp if it were signed again.
  func learn(from rejection: Rejection, _ codes: LoginErrorCodes, _ time: any TimeSource) -> Bool {
    let response = rejection.rawResponse
    guard let date = response.headers[.date].flatMap({ HTTPDate.date($0, now: time.now()) }),
      let signed = rejection.request.oauth1Timestamp
    else { return false }
    let difference = abs(date.timeIntervalSince1970 - signed)
    guard
      response.namesOAuth1Timestamp(codes)
        ? difference > 1 : response.status == .unauthorized && difference > Self.suspicion
    else { return false }
    offset.withLock { $0 = date.timeIntervalSince(time.now()) }
    return true
  }
}

extension RawResponse {
  /// Whether it says that the timestamp was refused: by a code of the provider's, or by the extension "OAuth Problem
  /// Reporting".
  fileprivate func namesOAuth1Timestamp(_ codes: LoginErrorCodes) -> Bool {
    if codes.means(APIError(rawResponse: self), \.timestampRefused) { return true }
    let problem = "timestamp_refused"
    return headers[.wwwAuthenticate]?.contains(problem) == true
      || String(decoding: body.prefix(4096), as: UTF8.self).contains("oauth_problem=\(problem)")
  }
}

extension TransportRequest {
  /// The timestamp that the request was signed with.
  fileprivate var oauth1Timestamp: TimeInterval? {
    oauth1Parameter("oauth_timestamp").flatMap { TimeInterval($0.prefix { $0.isASCII && $0.isNumber }) }
  }

  /// A protocol parameter that the request was signed with, still encoded, wherever it travels.
  func oauth1Parameter(_ name: String) -> Substring? {
    var places = [head.headerFields[.authorization] ?? "", head.path ?? ""]
    if case .data(let data) = body, isForm { places.append(String(decoding: data, as: UTF8.self)) }
    for place in places {
      guard let found = place.firstRange(of: "\(name)=") else { continue }
      return place[found.upperBound...].drop { $0 == "\"" }.prefix { $0 != "\"" && $0 != "&" }
    }
    return nil
  }
}
