import CallsignCatalogue
import Foundation

/// Texts that suit the name of a member or parameter.
struct PlausibleText {
  /// The name of the member, in lowercase without underscores.
  private let name: String

  init(name: String) { self.name = name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// A text that a person would expect for the name.
  func text(_ generator: inout SeededGenerator) -> String {
    for (endings, kind) in Self.kinds where hasEnding(endings) { return Self.make(kind, &generator) }
    return Self.phrase(&generator, 1...3)
  }

  /// The usual bounds of a number with this name.
  var numbers: ClosedRange<Int> {
    for (endings, range) in Self.ranges where hasEnding(endings) { return range }
    return 1...1_000
  }

  /// Whether the name ends with one of these. By bytes, because a response needs thousands of these comparisons.
  private func hasEnding(_ endings: [String]) -> Bool {
    endings.contains { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  private enum Kind {
    case email, givenName, familyName, handle, person, title, fileName, name, sentence, city, countryCode, country,
      timeZone, language, currency, street, phone, postalCode, url, mediaType, path, color, hash, key, version, time,
      id, word
  }

  private static let ranges: [([String], ClosedRange<Int>)] = [
    (["latitude", "lat"], -60...70), (["longitude", "lng", "lon", "long"], -170...170), (["year"], 2_020...2_026),
    (["month"], 1...12), (["day"], 1...28), (["hour"], 0...23), (["minute", "second"], 0...59),
    (["percent", "percentage", "progress"], 0...100), (["width", "height"], 100...2_000), (["age"], 18...80),
    (["port"], 1_024...65_535), (["httpstatus", "statuscode", "code"], 200...200),
    (["page", "index", "position"], 1...9),
    (["id"], 1_000...999_999), (["price", "amount", "total", "cost"], 1...500), (["size", "bytes"], 100...100_000),
    (["score", "ratio", "probability", "temperature"], 0...1), (["rank", "rating", "stars"], 1...5),
  ]

  /// The first entry with a matching suffix applies.
  private static let kinds: [([String], Kind)] = [
    (["email", "emailaddress"], .email),
    (["firstname", "givenname"], .givenName),
    (["lastname", "familyname", "surname"], .familyName),
    (["username", "screenname", "login", "handle", "slug", "nickname"], .handle),
    (["fullname", "displayname", "author", "owner", "creator", "person"], .person),
    (["title", "subject", "headline", "topic"], .title),
    (["filename", "file"], .fileName),
    (["name", "label"], .name),
    (
      ["description", "text", "body", "content", "summary", "message", "comment", "bio", "detail", "details", "note"],
      .sentence
    ),
    (["city", "town", "location", "place"], .city),
    (["countrycode"], .countryCode),
    (["country"], .country),
    (["timezone"], .timeZone),
    (["lang", "language", "locale"], .language),
    (["currency"], .currency),
    (["street", "address"], .street),
    (["phone", "phonenumber", "mobile"], .phone),
    (["postalcode", "zip", "zipcode"], .postalCode),
    (["url", "uri", "href", "link", "website", "homepage"], .url),
    (["mimetype", "mediatype", "contenttype"], .mediaType),
    (["path"], .path),
    (["color", "colour"], .color),
    (["sha", "sha1", "hash", "digest", "checksum"], .hash),
    (["etag", "key", "token", "secret", "cursor", "nodeid"], .key),
    (["version"], .version),
    (["createdat", "updatedat", "date", "time", "timestamp"], .time),
    (["id", "ids", "idstr"], .id),
    (["type", "kind", "category", "status", "state", "tag", "tags"], .word),
  ]

  private static func make(_ kind: Kind, _ generator: inout SeededGenerator) -> String {
    switch kind {
    case .email: "\(word(&generator, given).lowercased())@example.com"
    case .givenName: word(&generator, given)
    case .familyName: word(&generator, family)
    case .handle: word(&generator, given).lowercased() + "_" + word(&generator, words)
    case .person: "\(word(&generator, given)) \(word(&generator, family))"
    case .title: phrase(&generator, 2...4)
    case .fileName: "\(word(&generator, words)).txt"
    case .name: phrase(&generator, 1...2)
    case .sentence: phrase(&generator, 4...9) + "."
    case .city: word(&generator, cities)
    case .countryCode: word(&generator, ["DE", "FR", "IT", "JP", "US"])
    case .country: word(&generator, ["France", "Germany", "Italy", "Japan", "Norway"])
    case .timeZone: word(&generator, ["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
    case .language: word(&generator, ["de", "en", "fr", "ja"])
    case .currency: word(&generator, ["EUR", "JPY", "USD"])
    case .street: "\(Int.random(in: 1...99, using: &generator)) \(word(&generator, words).capitalized) Street"
    case .phone: "+1555\(Int.random(in: 1_000_000...9_999_999, using: &generator))"
    case .postalCode: String(Int.random(in: 10_000...99_999, using: &generator))
    case .url: url(&generator)
    case .mediaType: word(&generator, ["image/png", "text/plain", "video/mp4"])
    case .path: "\(word(&generator, words))/\(word(&generator, words)).txt"
    case .color: hexadecimal(&generator, 6)
    case .hash: hexadecimal(&generator, 40)
    case .key: hexadecimal(&generator, 24)
    case .version: "\(Int.random(in: 1...4, using: &generator)).\(Int.random(in: 0...9, using: &generator)).0"
    case .time: Timestamps.text(time(&generator), .rfc3339)
    case .id: String(Int.random(in: 1_000...9_999_999, using: &generator))
    case .word: word(&generator, words)
    }
  }

  private static let given = [
    "Ada", "Ben", "Clara", "Dilan", "Emma", "Finn", "Grace", "Hugo", "Ines", "Jonas", "Mei", "Omar",
  ]
  private static let family = [
    "Adler", "Brandt", "Castro", "Dubois", "Eriksen", "Fischer", "Haddad", "Ito", "Jensen", "Novak",
  ]
  private static let cities = ["Berlin", "Bergen", "Kyoto", "Lisbon", "Lyon", "Nairobi", "Portland", "Quito", "Turin"]
  private static let words = [
    "amber", "basil", "canyon", "dawn", "ember", "fern", "garden", "harbor", "island", "juniper", "kettle", "lantern",
    "meadow", "north", "orchard", "pebble", "quiet", "river", "sparrow", "timber", "upland", "velvet", "willow",
    "yonder",
  ]

  private static func word(_ generator: inout SeededGenerator, _ words: [String]) -> String {
    generator.pick(words) ?? ""
  }

  static func phrase(_ generator: inout SeededGenerator, _ counts: ClosedRange<Int>) -> String {
    let chosen = (0..<Int.random(in: counts, using: &generator)).map { _ in word(&generator, words) }
    let text = chosen.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  static func url(_ generator: inout SeededGenerator) -> String {
    "https://example.com/\(word(&generator, words))/\(Int.random(in: 1...9_999, using: &generator))"
  }

  static func hexadecimal(_ generator: inout SeededGenerator, _ count: Int) -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<count).map { _ in generator.pick(digits) ?? "0" })
  }

  /// A time in the year 2026, in milliseconds since 1970.
  static func time(_ generator: inout SeededGenerator) -> Int {
    1_767_225_600_000 + Int.random(in: 0..<31_536_000, using: &generator) * 1_000
  }
}
