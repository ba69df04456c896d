import Callsign
import CallsignAuth
import CallsignCLICredentials
import CallsignCatalogue
import CallsignCommandLine
import CallsignHTTP
import CallsignX
import Foundation
import HTTPTypes

/// Checks everything that a call needs.
struct Diagnosis: Sendable {
  let credentials: XCredentials
  let environment: [String: String]

  init(_ credentials: XCredentials, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.credentials = credentials
    self.environment = environment
  }

  /// The findings, in the order in which you would fix them.
  func findings() async -> [Finding] {
    var findings = files() + variables() + proxies()
    var place: String?
    do throws(CommandLineError) { place = try credentials.place() } catch {
      findings.append(Finding("profile", .problem, "\(error)"))
    }
    let isReachable = await network(place ?? "https://api.x.com", &findings)
    findings += await logins(place, isReachable: isReachable)
    return findings
  }

  // MARK: Files

  private func files() -> [Finding] {
    let profiles = XCredentials.profiles
    let tokens = profiles.store.folder.path
    func inside(_ folder: String, _ end: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(end) }.sorted()
        .map { folder + "/" + $0 }
    }
    let home = CLIAccountFile.home("").path
    var paths = [profiles.path] + inside(profiles.path, ".json") + [tokens] + inside(tokens, ".json")
    paths += [home + "/.xurl", home + "/.twurlrc"] + [credentials.file].compactMap { $0 }
    let problems = paths.compactMap { path in PrivateFile.problem(at: path).map { (path, $0) } }
    if problems.isEmpty {
      let count = paths.filter { FileManager.default.fileExists(atPath: $0) }.count
      return [Finding("files", .good, "\(count) with secrets, readable only by you")]
    }
    return problems.map { path, problem in
      let parts = problem.components(separatedBy: "; ")
      return Finding("files", .problem, "\(path): \(parts[0])", advice: parts.count > 1 ? parts[1] : nil)
    }
  }

  // MARK: Environment

  private func variables() -> [Finding] {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    var findings: [Finding] = []
    let needs = [
      ("X_CONSUMER_KEY", "X_CONSUMER_SECRET"), ("X_CONSUMER_SECRET", "X_CONSUMER_KEY"),
      ("X_OAUTH1_TOKEN", "X_OAUTH1_TOKEN_SECRET"), ("X_OAUTH1_TOKEN_SECRET", "X_OAUTH1_TOKEN"),
      ("X_OAUTH1_TOKEN", "X_CONSUMER_KEY"),
    ]
    for (name, other) in needs where isSet(name) && !isSet(other) {
      findings.append(
        Finding("environment", .warning, "\(name) is set, \(other) is not", advice: "set both, or neither"))
    }
    for name in XCredentials.variables.sorted() {
      guard let value = environment[name], value != value.trimmingCharacters(in: .whitespacesAndNewlines) else {
        continue
      }
      findings.append(
        Finding("environment", .problem, "\(name) begins or ends with white space", advice: "set it again without"))
    }
    if isSet("SSLKEYLOGFILE") {
      findings.append(
        Finding(
          "environment", .warning, "SSLKEYLOGFILE may let others decrypt what is sent",
          advice: "unset it unless you debug TLS"))
    }
    if findings.isEmpty {
      let names = XCredentials.variables.filter(isSet).sorted()
      findings = [Finding("environment", .good, names.isEmpty ? "no credentials in it" : names.joined(separator: ", "))]
    }
    return findings
  }

  private func proxies() -> [Finding] {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].filter {
      environment[$0]?.isEmpty == false
    }
    if names.isEmpty { return [Finding("proxy", .good, "none")] }
    return names.map { name in
      let value = environment[name] ?? ""
      guard let url = AbsoluteURL(value.contains("://") ? value : "http://" + value) else {
        return Finding(
          "proxy", .problem, "\(name) is not a URL", advice: "set it to one such as http://proxy.example:3128")
      }
      // The part before the host may contain a password.
      let except = environment["no_proxy"] ?? environment["NO_PROXY"]
      return Finding(
        "proxy", .good,
        "\(name): \(url.host)\(url.port.map { ":\($0)" } ?? "")" + (except.map { ", except \($0)" } ?? ""))
    }
  }

  // MARK: Network and clock

  /// - Returns: Whether the API responds.
  private func network(_ base: String, _ findings: inout [Finding]) async -> Bool {
    guard let url = AbsoluteURL(base + (base.hasSuffix("/") ? "" : "/") + "2/users/me") else {
      findings.append(
        Finding("network", .problem, "the base URL is not a URL", advice: "give one such as https://api.x.com"))
      return false
    }
    let transport = ClientConfiguration().transport
    let (start, begin) = (Date(), ContinuousClock.now)
    do throws(TransportError) {
      let response = try await transport.send(
        TransportRequest(
          method: .get, url: url, timeouts: Timeouts(connect: .seconds(10), idle: .seconds(30), total: .seconds(30))))
      let time = ContinuousClock.now - begin
      let version = response.protocolVersion.map { ", \($0)" } ?? ""
      let isSafe = url.scheme == "https"
      findings.append(
        Finding(
          "network", .good,
          "\(url.host) responds in \(time.formatted(.units(allowed: [.milliseconds], width: .narrow)))\(isSafe ? ", TLS" : "")\(version)"
        ))
      let halfway = Date().timeIntervalSince(start) / 2
      findings.append(clock(response.head, start.addingTimeInterval(halfway), margin: halfway))
      return true
    } catch {
      findings.append(Finding("network", .problem, "\(url.host): \(error.summary)", advice: Self.advice(error, url)))
      return false
    }
  }

  private static func advice(_ error: TransportError, _ url: AbsoluteURL) -> String {
    switch error.kind {
    case .cannotResolveHost: "check the network and the name server: `getent hosts \(url.host)`"
    case .cannotConnect: "check that something listens there, and what a firewall lets through"
    case .tls:
      "check the clock and the certificates of this machine; a proxy that opens TLS needs its own in SSL_CERT_FILE"
    case .proxy: "check the proxy's address in the environment, and what it permits"
    default: "try again; if it fails again, check network and proxy"
    }
  }

  /// - Parameters:
  ///   - now: The time halfway between the request and its response.
  ///   - margin: By how many seconds the server's clock reading may have been earlier or later than that.
  private func clock(_ head: HTTPResponse, _ now: Date, margin: TimeInterval) -> Finding {
    guard let server = head.headerFields[.date].flatMap({ HTTPDate.date($0) }) else {
      return Finding("clock", .warning, "the server does not say the time")
    }
    // The server's second began up to a second ago.
    let difference = now.timeIntervalSince(server.addingTimeInterval(0.5))
    let seconds = Int(abs(difference).rounded())
    guard Double(seconds) > max(2, margin + 1) else { return Finding("clock", .good, "right to \(max(1, seconds)) s") }
    let text = "this machine is \(seconds) s \(difference > 0 ? "ahead" : "behind")"
    let advice = "set the clock, such as with `timedatectl set-ntp true`"
    // X rejects OAuth 1.0a signatures whose time is further off. The client corrects it from X's response.
    return Finding("clock", seconds > 300 ? .problem : .warning, text, advice: advice)
  }
}
