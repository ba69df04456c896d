import Foundation

/// What a body is, judged by its first bytes rather than by what its header claims.
public enum ContentKind: String, Sendable, Hashable {
  /// An object, array, string, number, `true`, `false` or `null`.
  case json
  /// A page, mostly by a proxy or gateway.
  case html
  /// An XML document.
  case xml
  /// Nothing, or white space.
  case empty
  /// Something else.
  case other

  /// Judges a body.
  package init(_ body: Data) {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    var rest = body[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { blank.contains($0) }
    guard let first = rest.first else {
      self = .empty
      return
    }
    let beginning = String(decoding: rest.prefix(256), as: UTF8.self).lowercased()
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      self = .json
    case UInt8(ascii: "<"):
      // XHTML begins as XML does, so the document's own element decides.
      let isPage = ["<!doctype html", "<html", "<head", "<body", "<!--"].contains { beginning.hasPrefix($0) }
      self = isPage || beginning.contains("<html") ? .html : .xml
    default:
      let isWord = ["true", "false", "null"].contains { beginning.hasPrefix($0) }
      self = isWord ? .json : .other
    }
  }
}
