import ArgumentParser
import Callsign
import CallsignCommandLine
import CallsignDynamic
import Foundation
import HTTPTypes
import XCatalogue

/// Finds a path's operation in the catalogues, and the credentials for a call to it: those that the operation accepts.
enum PathCredentials {
  /// The kinds of credentials, with the catalogues' names.
  enum Scheme: String, ExpressibleByArgument, CaseIterable {
    case oauth1, oauth2, bearer
  }

  /// The credentials for a call.
  ///
  /// - Parameters:
  ///   - text: The path, or a URL on X, optionally with a query.
  ///   - authenticators: The available credentials.
  static func choice(
    _ method: HTTPRequest.Method, _ text: String, among authenticators: [any Authenticator]
  ) -> CallCredentials {
    let path = path(of: text)
    let accepted = accepted(method.rawValue, path)
    if !accepted.isEmpty { return .accepting(accepted) }
    // Version 1.1 paths that are not in the catalogue use a user's signature, as most of version 1.1 does.
    let signature = AuthRequirement(scheme: Scheme.oauth1.rawValue)
    let isOld = path.hasPrefix("/1.1/") && authenticators.contains { $0.satisfies(signature) }
    return isOld ? .accepting(Scheme.oauth1.rawValue) : .automatic
  }

  /// The credentials that the operation of a path accepts, in the catalogue's notation: `oauth1 | oauth2(users.read)`; empty if no
  /// operation has the path.
  static func accepted(_ method: String, _ path: String) -> String {
    var accepted: [String] = []
    for operation in operations(method, path) where !operation.facts.auth.isEmpty {
      if !accepted.contains(operation.facts.auth) { accepted.append(operation.facts.auth) }
    }
    return accepted.joined(separator: " | ")
  }

  /// The operation of a path with an endless response, if there is one.
  ///
  /// - Parameter text: The path, or a URL on X, optionally with a query.
  static func stream(_ method: HTTPRequest.Method, _ text: String) -> DynamicOperation? {
    operations(method.rawValue, path(of: text)).first(where: \.isStream)
  }

  /// The operations of a path. If several share it and differ in their arguments, each may have different credentials.
  private static func operations(_ method: String, _ path: String) -> [DynamicOperation] {
    let segments = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    for embedded in [EmbeddedCatalogue.x2, .x1] {
      let fitting = embedded.operations.filter { $0.method == method && fits(segments, $0.path) }
      // A literal segment takes precedence over a placeholder.
      guard let best = fitting.min(by: { placeholders($0.path) < placeholders($1.path) }) else { continue }
      let names = fitting.filter { $0.path == best.path }.map(\.name)
      guard let catalogue = embedded.catalogue(of: Set(names)) else { continue }
      let api = DynamicAPI(catalogue)
      return names.compactMap { try? api.operation($0) }
    }
    return []
  }

  /// The path of a URL, or of a text that is already a path, without a query.
  private static func path(of text: String) -> String {
    if let url = AbsoluteURL(text) { return url.path }
    let path = text.prefix { $0 != "?" && $0 != "#" }
    return path.hasPrefix("/") ? String(path) : "/" + path
  }

  private static func placeholders(_ template: String) -> Int { template.count { $0 == "{" } }

  /// Whether a path's segments match a template. A placeholder can be followed by literal text, as in `{id}.json`.
  private static func fits(_ segments: [String], _ template: String) -> Bool {
    let parts = template.split(separator: "/")
    guard parts.count == segments.count else { return false }
    return zip(parts, segments).allSatisfy { part, segment in
      guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return part == segment }
      let suffix = part[part.index(after: end)...]
      return segment.hasSuffix(suffix) && segment.count > suffix.count
    }
  }
}
