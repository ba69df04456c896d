/// A size that X offers for profile images.
///
/// Source: https://developer.x.com/en/docs/x-api/v1/accounts-and-users/user-profile-images-and-banners
public enum ProfileImageSize: Sendable, Hashable, CaseIterable {
  /// 24 by 24 pixels.
  case mini
  /// 48 by 48 pixels: the size that the API's responses name.
  case normal
  /// 73 by 73 pixels.
  case bigger
  /// 400 by 400 pixels.
  case large
  /// The original size, as uploaded.
  case original

  private var suffix: String {
    switch self {
    case .mini: "_mini"
    case .normal: "_normal"
    case .bigger: "_bigger"
    case .large: "_400x400"
    case .original: ""
    }
  }

  /// The URL of an image in this size, from its URL in any size.
  public func url(of url: String) -> String {
    let nameStart = url.lastIndex(of: "/").map { url.index(after: $0) } ?? url.startIndex
    let nameEnd = url[nameStart...].lastIndex(of: ".") ?? url.endIndex
    var name = url[nameStart..<nameEnd]
    let known = Self.allCases.map(\.suffix).filter { !$0.isEmpty }
    if let other = known.first(where: { name.hasSuffix($0) }) { name.removeLast(other.count) }
    return url[..<nameStart] + name + suffix + url[nameEnd...]
  }
}

/// A size that X offers for profile banners.
///
/// Source: https://developer.x.com/en/docs/x-api/v1/accounts-and-users/user-profile-images-and-banners
public enum ProfileBannerSize: String, Sendable, Hashable, CaseIterable {
  /// 320 by 160 pixels.
  case mobile
  /// 640 by 320 pixels.
  case mobileRetina = "mobile_retina"
  /// 520 by 260 pixels.
  case web
  /// 1,040 by 520 pixels.
  case webRetina = "web_retina"
  /// 626 by 313 pixels.
  case iPad = "ipad"
  /// 1,252 by 626 pixels.
  case iPadRetina = "ipad_retina"
  /// 300 by 100 pixels.
  case small = "300x100"
  /// 600 by 200 pixels.
  case medium = "600x200"
  /// 1,500 by 500 pixels.
  case large = "1500x500"

  /// The URL of a banner in this size, from its URL with or without a size.
  public func url(of url: String) -> String {
    var base = url[...]
    while base.last == "/" { base.removeLast() }
    if let slash = base.lastIndex(of: "/"), Self(rawValue: String(base[base.index(after: slash)...])) != nil {
      base = base[..<slash]
    }
    return "\(base)/\(rawValue)"
  }
}
