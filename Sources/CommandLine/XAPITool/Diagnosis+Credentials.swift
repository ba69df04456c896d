import Callsign
import CallsignAuth
import CallsignCLICredentials
import CallsignCatalogue
import CallsignCommandLine
import CallsignX
import Foundation

extension Diagnosis {
  /// Checks the credentials that a call would use, and tries them.
  func logins(_ place: String?, isReachable: Bool) async -> [Finding] {
    var findings: [Finding] = []
    let auth: [any Authenticator]
    let isAppAlone: Bool
    do {
      let api = try XCredentials.api()
      let source = try await credentials.source(api)
      switch source {
      case .none:
        return [
          Finding(
            "login", .problem, "nobody is logged in",
            advice: "run `xapi login`, or set X_BEARER_TOKEN for what is public")
        ]
      case .file(let file): findings.append(Finding("login", .good, "the file \(file)"))
      case .environment: findings.append(Finding("login", .good, "the environment"))
      case .account(let account): findings.append(Self.finding(account))
      case .profile(let profile):
        let who = profile.username.map { "@\($0)" } ?? "the app"
        findings.append(
          Finding("login", .good, "profile \(profile.name): \(who), \(profile.kinds.joined(separator: ", "))"))
        findings += await tokens(of: profile, api)
      }
      auth = try await credentials.authenticators(api)
      isAppAlone = XCredentials.areOfAppAlone(auth, of: source)
    } catch {
      return findings + [Finding("login", .problem, "\(error)")]
    }
    guard isReachable else { return findings }
    return findings + (await trial(auth, place, isAppAlone: isAppAlone))
  }

  private static func finding(_ account: CLIAccount) -> Finding {
    if let expires = account.expires, expires < Date() {
      return Finding(
        "login", .problem, "\(account.label): its access token has expired",
        advice: "run `xurl token`, or log in by `xapi login`")
    }
    return Finding("login", .good, account.label)
  }

  /// Checks the stored tokens: whether they exist, how long they are valid, and what they permit.
  private func tokens(of profile: Profile, _ api: API) async -> [Finding] {
    let store = XCredentials.profiles.store
    let again = "run `xapi login --profile \(profile.name)`"
    var findings: [Finding] = []
    if let oauth2 = profile.oauth2(in: store) {
      do throws(TokenStoreError) {
        if let token = try await store.token(for: oauth2.key) {
          findings.append(Self.finding(token, again))
          if let granted = token.scopes { findings.append(Self.scopes(granted, api, again)) }
        } else {
          findings.append(Finding("token", .problem, "the OAuth 2.0 token is missing", advice: again))
        }
      } catch { findings.append(Finding("token", .problem, "\(error)", advice: again)) }
    }
    if let oauth1 = profile.oauth1(in: store) {
      do throws(TokenStoreError) {
        let isThere = try await store.token(for: oauth1.key) != nil
        findings.append(
          isThere
            ? Finding("token", .good, "OAuth 1.0a, which does not expire")
            : Finding("token", .problem, "the OAuth 1.0a token is missing", advice: again + " --pin"))
      } catch { findings.append(Finding("token", .problem, "\(error)", advice: again + " --pin")) }
    }
    return findings
  }

  private static func finding(_ token: StoredToken, _ again: String) -> Finding {
    let end = token.expires.map { "until \($0.formatted(.iso8601))" } ?? "with no end that is known"
    if token.refreshToken != nil { return Finding("token", .good, "OAuth 2.0, \(end), and renews itself") }
    guard let expires = token.expires else { return Finding("token", .good, "OAuth 2.0, \(end)") }
    if expires <= Date() { return Finding("token", .problem, "OAuth 2.0: it has expired", advice: again) }
    return Finding(
      "token", .warning, "OAuth 2.0, \(end), and does not renew itself", advice: again + " and ask for offline.access")
  }

  private static func scopes(_ granted: Set<String>, _ api: API, _ again: String) -> Finding {
    let known = api.schemes.first { $0.name == "oauth2" }?.scopes.map(\.name) ?? []
    let missing = known.filter { !granted.contains($0) }
    if missing.isEmpty { return Finding("scopes", .good, "all \(known.count)") }
    return Finding(
      "scopes", .warning,
      "\(known.count - missing.count) of \(known.count); without \(missing.joined(separator: ", "))",
      advice: "\(again) if an operation needs one: `xapi OPERATION --help` lists them")
  }

  /// The path of a call that an app can make without a user and that changes nothing.
  static let appPath = "2/usage/tweets"

  /// Makes a call that changes nothing, and checks its rate limit.
  private func trial(_ auth: [any Authenticator], _ place: String?, isAppAlone: Bool) async -> [Finding] {
    var configuration = ClientConfiguration()
    configuration.retry.attempts = 1
    configuration.deadline = .seconds(30)
    if let place { configuration.hosts = .all(to: place) }
    let x = XAPI(auth: auth, configuration: configuration)
    let path = isAppAlone ? Self.appPath : "2/users/me"
    do throws(CallError) {
      let response = try await x.call(.get, path)
      let name = response.value["data"]?["username"]?.string.map { "@\($0)" } ?? "the app"
      return [Finding("X", .good, "accepts the credentials: \(name)")] + Self.limits(response.rateLimit, path)
    } catch {
      if case .rateLimited(let limit, _) = error {
        return [Finding("X", .good, "accepts the credentials")]
          + Self.limits(limit ?? RateLimit(), path, isRefused: true)
      }
      // An exhausted plan or missing credits do not mean that the credentials are wrong.
      if error.problems.contains(where: { $0.kind == .usageCapped || $0.kind == .credits }) {
        return [Finding("X", .good, "accepts the credentials"), Finding("plan", .problem, "\(error)")]
      }
      // A server without the operation does not reject the credentials.
      if let status = error.rawResponse?.status.code, status == 404 || status == 501 {
        return [
          Finding("X", .warning, "does not say whether it accepts the credentials (status \(status) for \(path))")
        ]
      }
      return [Finding("X", .problem, "\(error)", advice: "run `xapi login`, or correct what the login line names")]
    }
  }

  private static func limits(_ limit: Callsign.RateLimit?, _ path: String, isRefused: Bool = false) -> [Finding] {
    guard let limit, isRefused || limit.remaining != nil else { return [Finding("limits", .good, "X does not say")] }
    let reset = limit.reset.map { ", all again at \($0.formatted(.iso8601))" } ?? ""
    let count = limit.remaining.map { "\($0) of \(limit.limit.map(String.init) ?? "?") calls of \(path) left" }
    if isRefused || limit.remaining == 0 {
      return [
        Finding(
          "limits", .warning, "used up for \(path)\(reset)", advice: "wait until then; other operations have their own")
      ]
    }
    return [Finding("limits", .good, (count ?? "") + reset)]
  }
}
