import Foundation

extension Timestamp {
  /// Dates as v1.1 writes them: `Wed Oct 10 20:19:24 +0000 2018`.
  static func v1(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    return formatter.string(from: date)
  }
}
