import CallsignJSON
import Foundation

/// One thing that an API says is wrong: a problem document of RFC 9457, an element of an `errors` array, or what older
/// APIs send instead.
public struct Problem: Sendable, Hashable {
  /// The API's number for it, such as 34 for a page that does not exist in X's v1.1.
  public var code: Int?
  /// A URI that names the kind of problem, `about:blank` included (RFC 9457 §3.1.1).
  public var type: String?
  /// What kind of problem it is, in words.
  public var title: String?
  /// What happened this time; `message` and `error_description` of other forms.
  public var detail: String?
  /// The HTTP status that the problem itself names.
  public var status: Int?
  /// Everything that the API says about it.
  public var document: JSONValue

  /// Describes a problem.
  public init(
    code: Int? = nil, type: String? = nil, title: String? = nil, detail: String? = nil, status: Int? = nil,
    document: JSONValue
  ) {
    self.code = code
    self.type = type
    self.title = title
    self.detail = detail
    self.status = status
    self.document = document
  }
}
