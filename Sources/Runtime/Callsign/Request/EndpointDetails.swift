import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The facts of an endpoint that few endpoints have, taken from the text of ``Endpoint/details``.
package struct EndpointDetails: Sendable {
  /// The media type of the body, if it differs from the format's default.
  var contentType: String?
  /// The media type to request, if it is not JSON.
  var accept: String?
  /// The header field for a key that lets the API recognize a repeated call.
  var idempotencyKey: HTTPField.Name?
  /// The data of the event that ends a stream, such as `[DONE]`.
  package var end: Data?
  /// Whether a record is the whole event, with its name and id, and not only its data.
  package var hasWholeEvents = false
  /// The values that the API takes for arguments that a call leaves out.
  var defaults: [ArgumentDefault] = []

  package static let none = EndpointDetails("")

  /// Reads lines of a word, a space and a value. Unknown words are skipped.
  package init(_ text: String) {
    // By scalars: a value may begin with an accent, which is one character with the space before it.
    for line in text.unicodeScalars.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
      guard let word = parts.first else { continue }
      let value = parts.count == 2 ? parts[1] : ""
      switch word {
      case "content": contentType = value
      case "accept": accept = value
      case "idempotency": idempotencyKey = HTTPField.Name(value)
      case "end": end = Data(value.utf8)
      case "whole": hasWholeEvents = true
      case "default": if let value = ArgumentDefault(value) { defaults.append(value) }
      default: break
      }
    }
  }
}
