import XAPI
import XAPIv1

/// What an operation of either version answers with.
enum OperationAnswer {
  /// Nothing that is decoded: no content, or raw bytes.
  case none
  /// JSON of this type.
  case json(any JSONDecodable.Type)

  /// `nil`: neither version has an operation of this name.
  init?(named name: String) {
    if let type = XAPI.answerType(of: name) ?? XAPIv1.answerType(of: name) {
      self = .json(type)
    } else if Self.names.contains(name) {
      self = .none
    } else {
      return nil
    }
  }

  /// The names of all operations; none is in both versions.
  static var names: [String] { (XAPI.endpoints + XAPIv1.endpoints).map { $0.name.description } }

  /// ` Did you mean …?`, or nothing where no name is near.
  static func suggestion(for name: String) -> String {
    let wanted = name.lowercased()
    let near = names.filter { candidate in
      let candidate = candidate.lowercased()
      return candidate == wanted || (wanted.count > 3 && (candidate.contains(wanted) || wanted.contains(candidate)))
    }
    return near.isEmpty ? "" : " Did you mean \(near.prefix(5).joined(separator: ", "))?"
  }
}
