import ArgumentParser
import CallsignCatalogue
import CallsignOpenAPI

/// The option for the credentials to use if a document states none.
struct AuthOptions: ParsableArguments {
  @Option(
    name: .customLong("auth"),
    help: ArgumentHelp(
      """
      The credentials to use if the document does not name any, in a catalogue's words: bearer, basic, digest, oauth1, \
      'oauth2(read, write)', a scheme of the document, or '[app_id, app_key]' for what must come together; may be repeated. \
      With none, calls carry no credentials, even if the document demands some.
      """, valueName: "scheme"))
  var words: [String] = []

  /// The credentials.
  ///
  /// - Throws: `ValidationError` for words that do not describe credentials.
  func requirements() throws -> [CallsignCatalogue.AuthRequirement] { try Self.requirements(words) }

  /// Parses credentials.
  ///
  /// - Throws: `ValidationError` for words that do not describe credentials.
  static func requirements(_ words: [String]) throws -> [CallsignCatalogue.AuthRequirement] {
    do throws(ImportError) { return try ImportOptions.auth(words) } catch { throw ValidationError("\(error)") }
  }
}
