import CallsignCatalogue

extension SwiftTypeNames {
  /// An expression that puts a value into the API's form, where the Swift type has another one of its own; `nil` elsewhere.
  ///
  /// - Parameters:
  ///   - value: The value's expression.
  ///   - type: The value's type.
  ///   - isJSON: Whether the value becomes JSON, and no text.
  ///   - convertsDates: Whether dates are converted, too, which what takes the value does not do then.
  func wireForm(
    of value: String, _ type: TypeReference, isJSON: Bool = true, convertsDates: Bool = true
  ) -> String? {
    let resolved = resolved(type)
    func plain(_ value: String) -> String? {
      switch resolved.kind {
      case .scalar(.date(let format)) where isJSON && convertsDates && format != .rfc3339:
        return "\(name(.formattedDate))(\(value), \(DateFormatText.expression(format)))"
      case .scalar(.decimal(isText: true)) where isJSON: return "\(name(.decimalText))(\(value))"
      case .scalar(.base64URL): return "\(name(.base64URLText))(\(value))"
      case .scalar(.duration(let format)) where format != .iso8601:
        return "\(name(.formattedDuration))(\(value), .\(format.rawValue))"
      case .list(let element):
        return wireForm(of: "$0", element, isJSON: isJSON, convertsDates: convertsDates)
          .map { "\(value).map { \($0) }" }
      case .map(let element):
        return wireForm(of: "$0", element, isJSON: isJSON, convertsDates: convertsDates)
          .map { "\(value).mapValues { \($0) }" }
      default: return nil
      }
    }
    func withNull(_ value: String) -> String? {
      resolved.isNullable ? plain("$0").map { "\(value).map { \($0) }" } : plain(value)
    }
    return resolved.isOptional ? withNull("$0").map { "\(value).map { \($0) }" } : withNull(value)
  }
}
