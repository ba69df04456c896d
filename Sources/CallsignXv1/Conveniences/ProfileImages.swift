extension XAPIv1.User {
  /// A size in which X keeps a profile image.
  public enum ProfileImageSize: Sendable, Hashable, CaseIterable {
    /// 24 by 24 pixels.
    case mini
    /// 48 by 48 pixels.
    case normal
    /// 73 by 73 pixels.
    case bigger
    /// As it was uploaded.
    case original

    fileprivate var suffix: String {
      switch self {
      case .mini: "_mini"
      case .normal: "_normal"
      case .bigger: "_bigger"
      case .original: ""
      }
    }
  }

  /// The address of the user's image in a size; `nil` where the user came without one.
  ///
  /// Source: https://developer.x.com/en/docs/x-api/v1/accounts-and-users/user-profile-images-and-banners
  public func profileImageURL(_ size: ProfileImageSize) -> String? {
    guard let url = profileImageURLHTTPS ?? profileImageURL else { return nil }
    let nameStart = url.lastIndex(of: "/").map { url.index(after: $0) } ?? url.startIndex
    let nameEnd = url[nameStart...].lastIndex(of: ".") ?? url.endIndex
    var name = url[nameStart..<nameEnd]
    let known = ProfileImageSize.allCases.map(\.suffix) + ["_400x400"]
    if let suffix = known.first(where: { !$0.isEmpty && name.hasSuffix($0) }) { name.removeLast(suffix.count) }
    return url[..<nameStart] + name + size.suffix + url[nameEnd...]
  }
}
