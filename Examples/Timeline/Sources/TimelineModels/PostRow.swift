import CallsignX
import Foundation
import XText

/// A post for display in a list.
public struct PostRow: Sendable, Equatable, Identifiable {
  /// A picture of a post, or the still of a video.
  public struct Picture: Sendable, Equatable, Identifiable {
    /// X's key for it.
    public let id: String
    /// Its address.
    public let url: URL
    /// A description for people who cannot see it.
    public let altText: String?
    /// Width by height.
    public let aspectRatio: Double
  }

  /// The post's id.
  public var id: String { post.id }
  /// The author's name.
  public let authorName: String
  /// The author's username, without `@`.
  public let username: String
  /// The address of the author's picture, as X names it.
  public let avatar: String?
  /// The attached media.
  public let pictures: [Picture]
  /// Whether the person likes it.
  public internal(set) var isLiked: Bool
  /// The number of likes, including the person's.
  public internal(set) var likeCount: Int
  let post: XAPI.Post

  init(_ post: XAPI.Post, in includes: XAPI.Expansions?, isLiked: Bool) {
    self.post = post
    plainText = PostText.unescaped(post.wholeText(in: includes))
    let author = post.author(in: includes)
    authorName = author?.name ?? ""
    username = author?.username ?? ""
    avatar = author?.profileImageURL
    pictures = post.media(in: includes).compactMap { media in
      guard let url = (media.url ?? media.previewImageURL).flatMap(URL.init(string:)) else { return nil }
      let (width, height) = (media.width ?? 16, media.height ?? 9)
      return Picture(
        id: media.mediaKey, url: url, altText: media.altText,
        aspectRatio: height > 0 ? max(0.5, Double(width) / Double(height)) : 1)
    }
    self.isLiked = isLiked
    likeCount = post.publicMetrics?.likeCount ?? 0
  }

  /// When it was posted.
  public var date: Date? { post.createdAt }

  /// The whole text as its author wrote it, including that of long posts and reposts.
  public let plainText: String

  /// The text with its links, mentions and tags to tap on.
  public var text: AttributedString { Autolink().attributedString(plainText) }
}
