import CallsignCatalogue

extension SwiftTypeNames {
  /// An expression that converts a value to the API's form; `nil` if its Swift type already has that form.
  ///
  /// - Parameters:
  ///   - value: The value's expression.
  ///   - type: The value's type.
  ///   - isJSON: Whether the value becomes JSON instead of text.
  ///   - convertsDates: Whether to convert dates too, because the code that takes the value does not.
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
