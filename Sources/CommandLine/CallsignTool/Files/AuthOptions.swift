import ArgumentParser
import CallsignCatalogue
import CallsignOpenAPI

/// The option of commands that read a document for the credentials of which the document says nothing.
struct AuthOptions: ParsableArguments {
  @Option(
    name: .customLong("auth"),
    help: ArgumentHelp(
      """
      What calls accept where the document says nothing of it, in a catalogue's words: bearer, basic, digest, oauth1, \
      'oauth2(read, write)', a scheme of the document, or '[app_id, app_key]' for what must come together; may be repeated. \
      By none, calls carry no credentials, whatever the document demands.
      """, valueName: "scheme"))
  var words: [String] = []

  /// The credentials.
  ///
  /// - Throws: `ValidationError` for what are no words for any.
  func requirements() throws -> [CallsignCatalogue.AuthRequirement] { try Self.requirements(words) }

  /// The credentials that some words stand for.
  ///
  /// - Throws: `ValidationError` for what are no words for any.
  static func requirements(_ words: [String]) throws -> [CallsignCatalogue.AuthRequirement] {
    do throws(ImportError) { return try ImportOptions.auth(words) } catch { throw ValidationError("\(error)") }
  }
}
