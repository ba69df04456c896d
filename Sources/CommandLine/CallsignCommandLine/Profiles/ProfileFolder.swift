import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation

/// The profiles of one API on this machine. Each is a file that only its owner can read, in `$XDG_DATA_HOME/callsign/profiles/API`,
/// by default below `~/.local/share`.
package struct ProfileFolder: Sendable {
  /// The name of the default profile.
  package static let defaultName = "default"

  /// The folder's path.
  package let path: String
  private let environment: [String: String]
  /// The prefix of the variables: `X` for `X_PROFILE`.
  private let prefix: String

  /// - Parameters:
  ///   - api: The API's name, which becomes the folder's name.
  ///   - prefix: The prefix of the variables.
  package init(
    api: String, prefix: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.environment = environment
    self.prefix = prefix
    let plain = String(api.map { Self.isSafe($0) ? $0 : "_" })
    // The profiles are next to the tokens and follow the same rules.
    path =
      FileTokenStore.defaultFolder.deletingLastPathComponent().appendingPathComponent("profiles")
      .appendingPathComponent(plain.hasPrefix(".") ? "_" + plain : plain).path
  }

  /// The tokens of all profiles.
  package var store: FileTokenStore { FileTokenStore() }

  /// The name of the profile to use: the given one, otherwise the environment's, otherwise ``defaultName``.
  ///
  /// - Throws: `CommandLineError` for a name that cannot be a file name.
  package func chosenName(_ given: String?) throws(CommandLineError) -> String {
    let variable = environment["\(prefix)_PROFILE"].flatMap { $0.isEmpty ? nil : $0 }
    let name = given ?? variable ?? Self.defaultName
    guard !name.isEmpty, name.count <= 64, !name.hasPrefix("."), name.allSatisfy(Self.isSafe) else {
      throw CommandLineError("a profile's name has letters, digits, `-`, `_` and `.`, 64 at most")
    }
    return name
  }

  private static func isSafe(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
  }

  /// Whether the user or the environment names a profile.
  package func isChosen(_ given: String?) -> Bool {
    given != nil || environment["\(prefix)_PROFILE"].map { !$0.isEmpty } ?? false
  }

  /// The file of a profile.
  package func file(_ name: String) -> String { path + "/" + name + ".json" }

  /// The names of all profiles, sorted.
  package var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// The profile to use; `nil` if none is named and there is no ``defaultName``.
  ///
  /// - Throws: `CommandLineError` if the named profile does not exist, or the profile is damaged or readable by others.
  package func profile(_ given: String?) throws(CommandLineError) -> Profile? {
    let name = try chosenName(given)
    if let profile = try load(name) { return profile }
    guard isChosen(given) else { return nil }
    let known = names.isEmpty ? "there are none" : "there are: \(names.joined(separator: ", "))"
    throw CommandLineError("unknown profile \(name); log in with --profile \(name) (\(known))")
  }

  /// The profile with that name; `nil` if there is none.
  package func load(_ name: String) throws(CommandLineError) -> Profile? {
    guard let data = try PrivateFile.read(file(name), as: "the profile") else { return nil }
    guard let value = try? JSONValue(jsonData: data) else {
      throw CommandLineError("the profile \(name) is damaged (\(file(name))); log in again")
    }
    return try Profile(name: name, document: value)
  }

  /// The profile that a login adds to. It is empty if there is none, or if the existing one is no longer usable.
  ///
  /// - Throws: `CommandLineError` if others can read it.
  package func loadForLogin(_ name: String) throws(CommandLineError) -> Profile {
    guard let data = try PrivateFile.read(file(name), as: "the profile") else { return Profile(name: name) }
    let value = (try? JSONValue(jsonData: data)) ?? .null
    do throws(CommandLineError) { return try Profile(name: name, document: value) } catch {
      StandardError.write("note: the profile \(name) that was there is damaged or newer, and is replaced")
      return Profile(name: name)
    }
  }

  /// The profile to delete; `nil` if there is none. An unusable one is deleted immediately.
  package func loadForLogout(_ name: String) throws(CommandLineError) -> Profile? {
    do throws(CommandLineError) { return try load(name) } catch {
      StandardError.write("note: \(error)")
      return Profile(name: name)
    }
  }

  /// Saves a profile.
  package func save(_ profile: Profile) throws(CommandLineError) {
    do {
      try PrivateFile.makeFolder(path)
      if let problem = PrivateFile.problem(at: path) {
        throw CommandLineError("the profiles' folder is not safe: \(problem)")
      }
      try PrivateFile.write(try profile.document.jsonData(), to: file(profile.name))
    } catch let error as CommandLineError { throw error } catch {
      throw CommandLineError("the profile cannot be written to \(path): \(error.localizedDescription)")
    }
  }

  /// Deletes a profile.
  package func remove(_ name: String) throws(CommandLineError) {
    do { try FileManager.default.removeItem(atPath: file(name)) } catch {
      if FileManager.default.fileExists(atPath: file(name)) {
        throw CommandLineError("the profile's file \(file(name)) cannot be removed")
      }
    }
  }
}

extension Profile {
  /// The base URL for calls: the one used when the profile was created, or the user's, which may be a path below it. The
  /// credentials are sent nowhere else.
  ///
  /// - Throws: `CommandLineError` if both are known and differ.
  package func place(_ given: String?) throws(CommandLineError) -> String? {
    guard let given, Self.plain(given) != baseURL.map(Self.plain) else { return baseURL }
    if (baseURL.map { [$0] } ?? hosts).contains(where: { Self.serves($0, given) }) { return given }
    throw CommandLineError(
      "the profile \(name) was logged in at \(baseURL ?? "the API itself"), and its credentials go nowhere else; "
        + "log in there with --base-url and another --profile")
  }

  /// Whether a URL equals another, or is a path below it on the same server.
  private static func serves(_ base: String, _ given: String) -> Bool {
    guard let base = AbsoluteURL(base), let given = AbsoluteURL(given), base.origin == given.origin,
      !given.hasUserInformation, !given.path.split(separator: "/").contains(where: { $0.hasPrefix(".") })
    else { return false }
    let (folder, path) = (plain(base.path), plain(given.path))
    return path == folder || path.hasPrefix(folder + "/")
  }

  private static func plain(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }
}
