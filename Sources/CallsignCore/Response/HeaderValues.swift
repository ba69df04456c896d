import HTTPTypes

// Values of header fields that each call looks at, without the texts that `HTTPFields` makes of what it finds.

extension HTTPFields {
  /// The value of a name's first field; `nil` where there is none.
  package func firstValue(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }

  /// `Content-Length` (RFC 9110 §8.6); `nil` where it is no number, or is not there.
  var contentLength: Int? { first { $0.name == .contentLength }?.wholeNumber }

  /// `Age` in seconds (RFC 9111 §5.1); `nil` where it is no number, or is not there.
  var age: Int? { first { $0.name == .age }?.wholeNumber }
}

extension HTTPField {
  /// A value of decimal digits, with spaces around it at most; `nil` for another, and for one that is too large.
  package var wholeNumber: Int? {
    withUnsafeBytesOfValue { bytes in
      var number = 0
      var hasDigit = false
      var isOver = false
      for byte in bytes {
        if byte == UInt8(ascii: " ") {
          isOver = hasDigit
          continue
        }
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10, !isOver else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
        let (sum, isTooLargeNow) = product.addingReportingOverflow(Int(digit))
        guard !isTooLarge, !isTooLargeNow else { return nil }
        (number, hasDigit) = (sum, true)
      }
      return hasDigit ? number : nil
    }
  }
}
