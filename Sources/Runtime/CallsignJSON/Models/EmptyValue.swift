import CallsignSupport

/// A placeholder for a required member without a value: in a value that a program creates for a request and whose members the API
/// adds later, or in a response that lacks the member.
enum EmptyValue {
  static func of<T: JSONCodable>(_ type: T.Type) -> T {
    var value = value(of: type)
    if value == nil, let type = type as? any ClosedEnum.Type { value = firstCase(type) }
    guard let value = value as? T else {
      // No generated property has another type.
      preconditionFailure("\(type) has no empty value, and a required member of it was never set")
    }
    return value
  }

  /// Whether a member of the type may be missing in a response. The first case of a closed enum would be taken for a value
  /// that the API has sent.
  static func exists<T: JSONCodable>(for type: T.Type) -> Bool { value(of: type) is T }

  private static func value<T: JSONCodable>(of type: T.Type) -> Any? {
    switch type {
    case let type as any Emptiable.Type: type.empty
    case let type as any OpenEnum.Type: type.init(rawValue: "")
    case let type as any IntegerEnum.Type: type.init(rawValue: 0)
    case is URL.Type: URL(string: "about:blank")
    case is UUID.Type: UUID(uuidString: "00000000-0000-0000-0000-000000000000")
    // A union reads any JSON.
    case let type as any Union.Type: try? type.init(jsonString: "[]")
    default: nil
    }
  }

  private static func firstCase<T: ClosedEnum>(_: T.Type) -> T? { T.allCases.first }
}

/// A type of the runtime that has an empty value.
private protocol Emptiable { static var empty: Self { get } }

extension Array: Emptiable { fileprivate static var empty: Self { [] } }
extension Dictionary: Emptiable { fileprivate static var empty: Self { [:] } }
extension String: Emptiable { fileprivate static var empty: Self { "" } }
extension Int: Emptiable { fileprivate static var empty: Self { 0 } }
extension Int32: Emptiable { fileprivate static var empty: Self { 0 } }
extension UInt64: Emptiable { fileprivate static var empty: Self { 0 } }
extension Double: Emptiable { fileprivate static var empty: Self { 0 } }
extension Bool: Emptiable { fileprivate static var empty: Self { false } }
extension Decimal: Emptiable { fileprivate static var empty: Self { 0 } }
extension Duration: Emptiable { fileprivate static var empty: Self { .zero } }
extension Date: Emptiable { fileprivate static var empty: Self { Date(timeIntervalSince1970: 0) } }
extension Data: Emptiable { fileprivate static var empty: Self { Data() } }
extension JSONValue: Emptiable { fileprivate static var empty: Self { .array([]) } }
extension Nullable: Emptiable { fileprivate static var empty: Self { .null } }
