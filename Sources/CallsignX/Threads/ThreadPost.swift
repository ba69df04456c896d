extension XAPI {
  /// One post of a thread that is to be posted.
  public struct ThreadPost: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text.
    public var text: String?
    /// Pictures or a video, uploaded before.
    public var media: CreatePostsMedia?
    /// A poll.
    public var poll: CreatePostsPoll?
    /// A post to quote.
    public var quoteTweetID: PostID?

    /// Describes a post.
    public init(
      text: String? = nil, media: CreatePostsMedia? = nil, poll: CreatePostsPoll? = nil, quoteTweetID: PostID? = nil
    ) {
      self.text = text
      self.media = media
      self.poll = poll
      self.quoteTweetID = quoteTweetID
    }

    /// A post that is a text and nothing else.
    public init(stringLiteral value: String) { self.init(text: value) }
  }
}

/// A thread that could not be posted to its end: what was, what was not, and why.
public struct ThreadError: Error, Sendable {
  /// What was posted, in its order. It stays.
  public let posted: [XAPI.CreatedPost]
  /// What was not, in its order; the first is the one that failed.
  public let remaining: [XAPI.ThreadPost]
  /// What the first of ``remaining`` replies to; `nil` where it begins the thread.
  public let replyTo: XAPI.PostID?
  /// Who may reply, for the thread's first post.
  public let replySettings: XAPI.ReplySettings?
  /// Why it failed.
  public let cause: CallError

  /// Whether the first of ``remaining`` may have been posted all the same, its answer being lost. Look at the account's
  /// newest posts before going on.
  public var mayHaveBeenPosted: Bool {
    switch cause {
    case .mayHaveSucceeded, .decoding, .unexpectedContent: true
    case .cancelled: true
    default: false
    }
  }
}

extension ThreadError: CustomStringConvertible {
  /// What happened and what to do, in one line.
  public var description: String {
    let count = posted.count + remaining.count
    let advice =
      mayHaveBeenPosted
      ? "it may be there all the same: look, then go on with resumeThread(_:afterPosted:)"
      : "go on with resumeThread(_:)"
    return "post \(posted.count + 1) of \(count) failed (\(cause)); \(advice)"
  }
}
