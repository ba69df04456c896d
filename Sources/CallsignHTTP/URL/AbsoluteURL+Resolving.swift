extension AbsoluteURL {
  /// What a `Location` means here (RFC 3986 §5.2); `nil` when it is not http or https, or cannot be read.
  package func resolving(_ reference: String) -> AbsoluteURL? {
    let reference = String(reference.prefix { $0 != "#" })
    guard reference.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    if reference.hasPrefix("//") { return AbsoluteURL("\(scheme):\(reference)") }
    var result = self
    if reference.hasPrefix("/") {
      result.path = String(reference.prefix { $0 != "?" })
    } else if reference.hasPrefix("?") {
      // The path stays.
    } else if let colon = reference.firstIndex(of: ":"), reference[..<colon].allSatisfy({ !"/?".contains($0) }) {
      guard let url = AbsoluteURL(reference), url.scheme == "http" || url.scheme == "https" else { return nil }
      return url
    } else if !reference.isEmpty {
      let folder = path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
      result.path = (folder.isEmpty ? "/" : String(folder)) + String(reference.prefix { $0 != "?" })
    }
    result.query = reference.firstIndex(of: "?").map { String(reference[reference.index(after: $0)...]) }
    result.path = PercentEncoding.encodeIllegal(result.path)
    result.query = result.query.map(PercentEncoding.encodeIllegal)
    return result
  }
}
