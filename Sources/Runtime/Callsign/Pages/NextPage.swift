import CallsignHTTP
import HTTPTypes

/// The targets of a response's `Link` fields, by their relations (RFC 8288 §3).
struct LinkHeader {
  /// In the order of the fields.
  private(set) var links: [(target: String, relations: [String])] = []

  init(_ headers: HTTPFields) {
    guard let name = HTTPField.Name("Link") else { return }
    for value in headers[values: name] { read(value) }
  }

  /// Reads one field's value. Parts that are not links are skipped.
  init(_ value: String) { read(value) }

  /// The target of the first link with one of the relations.
  func target(_ relations: [String]) -> String? {
    links.first { link in link.relations.contains { relations.contains($0) } }?.target
  }

  /// `<https://api.example/pets?page=2>; rel="next", <…>; rel=last`
  private mutating func read(_ value: String) {
    var rest = Array(value.utf8)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
      let target = String(decoding: rest[..<close], as: UTF8.self)
      rest = rest[(close + 1)...]
      var relations: [String]?
      while Self.take(UInt8(ascii: ";"), from: &rest) {
        let name = Self.token(&rest).lowercased()
        guard Self.take(UInt8(ascii: "="), from: &rest) else { continue }
        let value = Self.value(&rest)
        // §3.3: a second `rel` is ignored.
        if name == "rel", relations == nil {
          relations = value.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
        }
      }
      links.append((target, relations ?? []))
      // Up to the next link; the text before it is not understood.
      guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { return }
      rest = rest[(comma + 1)...]
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Moves past a byte, and the white space before it, if it is next.
  private static func take(_ byte: UInt8, from rest: inout ArraySlice<UInt8>) -> Bool {
    let after = rest.drop(while: isBlank)
    guard after.first == byte else { return false }
    rest = after.dropFirst()
    return true
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String {
    rest = rest.drop(while: isBlank)
    let token = rest.prefix { !isBlank($0) && !";,=\"".utf8.contains($0) }
    rest = rest.dropFirst(token.count)
    return String(decoding: token, as: UTF8.self)
  }

  /// A token, or a quoted string without its quotes and backslashes (RFC 9110 §5.6.4).
  private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
    guard take(UInt8(ascii: "\""), from: &rest) else { return token(&rest) }
    var text: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        if let escaped = rest.popFirst() { text.append(escaped) }
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The URLs of next pages that responses name.
enum NextPage {
  /// A reference resolved for use after its response is gone: a relative one is resolved with that response's URL (RFC 8288 §3.2,
  /// RFC 3986 §5.1.3).
  static func reference(_ text: String, in response: RawResponse) -> String {
    guard AbsoluteURL(text) == nil else { return text }
    return response.url?.resolving(text)?.text ?? text
  }

  /// The original URL, before ``ClientConfiguration/hosts`` redirects it; `nil` if it is at another host than the
  /// call's, or is not a URL.
  ///
  /// - Parameters:
  ///   - text: An absolute URL, or one relative to the call's.
  ///   - call: The call of the first page.
  static func url(_ text: String, of call: Call, _ client: Client) throws(CallError) -> AbsoluteURL? {
    let base: AbsoluteURL
    do throws(InvalidCall) {
      base = try call.pathURL(client.configuration.hostVariables)
    } catch { throw .invalidCall(error) }
    // A server that replaces the API names pages at its own address.
    let address = client.configuration.hosts.resolve(base) ?? base
    guard var url = base.resolving(text), !url.hasUserInformation else { return nil }
    if url.origin != base.origin {
      guard url.origin == address.origin else { return nil }
      let prefix = address.path.hasSuffix(base.path) ? address.path.dropLast(base.path.count) : ""
      if !prefix.isEmpty, url.path.hasPrefix(prefix + "/") { url.path.removeFirst(prefix.count) }
      (url.scheme, url.host, url.port) = (base.scheme, base.host, base.port)
    }
    url.removeKeys(of: client.authenticators)
    return url
  }
}

extension Pages {
  /// Whether a page's position is a URL at another host than the call's.
  func leavesHost(_ position: String) throws(CallError) -> Bool {
    switch style {
    case .url, .link: try NextPage.url(position, of: call, client) == nil
    default: false
    }
  }
}
