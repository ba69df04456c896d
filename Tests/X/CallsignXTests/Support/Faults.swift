import Foundation
import XSandbox

extension Sandbox.Fault {
  /// A successful response with this body.
  static func json(_ text: String, headers: [String: String] = [:]) -> Sandbox.Fault {
    .status(200, headers: headers, body: Data(text.utf8))
  }
}
