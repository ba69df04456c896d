#if canImport(Foundation)
  import CallsignSupport

  extension Autolink {
    /// A text whose entities have the attribute `link`, to show in SwiftUI, UIKit or AppKit.
    ///
    /// - Parameters:
    ///   - text: The text: plain, or with ``unescapesText`` as received from X's API.
    ///   - linking: The URL that an entity leads to; `nil` for no link. Default: the URL of the link in ``html(_:)``.
    public func attributedString(_ text: String, linking: ((PostEntity) -> URL?)? = nil) -> AttributedString {
      let text = unescapesText ? PostText.unescaped(text) : text
      var result = AttributedString()
      var position = text.startIndex
      for entity in PostEntities(text, urlsWithoutScheme: linksURLsWithoutScheme).all {
        let range = entity.range.indices
        result += AttributedString(String(text[position..<range.lowerBound]))
        var part = AttributedString(String(text[range]))
        part.link = linking.map { $0(entity) } ?? url(of: entity)
        result += part
        position = range.upperBound
      }
      return result + AttributedString(String(text[position...]))
    }

    /// The URL that an entity's link leads to; `nil` if the system cannot read that URL.
    public func url(of entity: PostEntity) -> URL? {
      switch entity.kind {
      case .url(let url):
        let expanded = urlEntities.first { $0.url == url }?.expandedURL ?? url
        return URL(string: Self.address(expanded))
      case .mention(let username): return URL(string: usernameBase + username)
      case .list(let username, let name):
        return URL(string: suppressesLists ? usernameBase + username : "\(listBase)\(username)/\(name)")
      case .hashtag(let name): return URL(string: hashtagBase + Self.percentEncoded(name))
      case .cashtag(let name): return URL(string: cashtagBase + Self.percentEncoded(name))
      }
    }

    private static func percentEncoded(_ name: String) -> String {
      name.utf8.reduce(into: "") { result, byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          result.unicodeScalars.append(Unicode.Scalar(byte))
        default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
  }
#endif
