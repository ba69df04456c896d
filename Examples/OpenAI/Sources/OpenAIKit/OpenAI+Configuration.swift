import Callsign
import Foundation

extension ClientConfiguration {
  /// The settings of OpenAI's own libraries: a model may think for ten minutes before its first word, a call waits up to a
  /// minute for a limit, and a conflict (409) is worth another attempt.
  public static var openAI: ClientConfiguration {
    var configuration = ClientConfiguration(
      timeouts: Timeouts(idle: .seconds(600)), rateLimitPolicy: .wait(upTo: .seconds(60)))
    configuration.retry.statuses.insert(409)
    return configuration
  }
}

extension OpenAI {
  /// The client that the environment describes, in the words of OpenAI's own libraries: `OPENAI_API_KEY`, and if you want,
  /// `OPENAI_BASE_URL` (which ends in `/v1`), `OPENAI_ORG_ID` and `OPENAI_PROJECT_ID`.
  ///
  /// - Parameters:
  ///   - environment: Default: that of the process.
  ///   - configuration: What the environment does not say. Default: ``ClientConfiguration/openAI``.
  /// - Returns: `nil` if there is no key.
  public static func fromEnvironment(
    _ environment: [String: String] = ProcessInfo.processInfo.environment, configuration: ClientConfiguration = .openAI
  ) -> OpenAI? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let key = value("OPENAI_API_KEY") else { return nil }
    var configuration = configuration
    // The paths of this API begin with the version, so that the base URL must not have it, too.
    if let url = value("OPENAI_BASE_URL") {
      configuration.hosts = .all(to: url.hasSuffix("/v1") ? String(url.dropLast(3)) : url)
    }
    if let organization = value("OPENAI_ORG_ID") { configuration.headers["OpenAI-Organization"] = organization }
    if let project = value("OPENAI_PROJECT_ID") { configuration.headers["OpenAI-Project"] = project }
    return OpenAI(auth: .bearer(key), configuration: configuration)
  }
}
