import Callsign
import CallsignSupport
import XCore
import XText

extension XAPI {
  /// Posts a thread: one post after the other, each as a reply to the previous one. It stops at the first failure.
  ///
  /// - Parameters:
  ///   - posts: The posts, first to last.
  ///   - replyTo: A post for the first one to reply to; `nil`, the default, starts a new thread.
  ///   - replySettings: Who can reply, for the first post.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Returns: The created posts, in order.
  /// - Throws: ``ThreadError``, which says what was posted and what was not.
  @discardableResult
  public func postThread(
    _ posts: [ThreadPost], replyingTo replyTo: PostID? = nil, replySettings: ReplySettings? = nil,
    options: CallOptions = CallOptions()
  ) async throws(ThreadError) -> [CreatedPost] {
    try await post(posts[...], after: [], replyTo: replyTo, replySettings, options)
  }

  /// Posts a text as a thread, split at sentences and words by ``PostText/thread(_:numbering:configuration:)``.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - numbering: How to number the posts. Default: no numbers.
  ///   - configuration: How to count the text.
  ///   - replyTo: A post for the first one to reply to; `nil`, the default, starts a new thread.
  ///   - replySettings: Who can reply, for the first post.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Returns: The created posts, in order; empty if the text is empty.
  /// - Throws: ``ThreadError``, which says what was posted and what was not.
  @discardableResult
  public func postThread(
    splitting text: String, numbering: ThreadNumbering = .none, configuration: PostTextConfiguration = .version3,
    replyingTo replyTo: PostID? = nil, replySettings: ReplySettings? = nil, options: CallOptions = CallOptions()
  ) async throws(ThreadError) -> [CreatedPost] {
    let texts = PostText.thread(text, numbering: numbering, configuration: configuration)
    return try await postThread(
      texts.map { ThreadPost(text: $0) }, replyingTo: replyTo, replySettings: replySettings, options: options)
  }

  /// Continues a thread that failed.
  ///
  /// - Parameters:
  ///   - failure: The error from ``postThread(_:replyingTo:replySettings:options:)``.
  ///   - uncertain: The ID of the failed post, if it turns out to exist nevertheless (``ThreadError/mayHaveBeenPosted``). The
  ///     thread then continues after it. With `nil`, it is posted again.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Returns: All posts of the thread, including the earlier ones, but not the uncertain one, of which only the ID is known.
  /// - Throws: ``ThreadError``.
  @discardableResult
  public func resumeThread(
    _ failure: ThreadError, afterPosted uncertain: PostID? = nil, options: CallOptions = CallOptions()
  ) async throws(ThreadError) -> [CreatedPost] {
    guard let uncertain else {
      return try await post(
        failure.remaining[...], after: failure.posted, replyTo: failure.replyTo, failure.replySettings, options)
    }
    return try await post(failure.remaining.dropFirst(), after: failure.posted, replyTo: uncertain, nil, options)
  }

  private func post(
    _ posts: ArraySlice<ThreadPost>, after posted: [CreatedPost], replyTo: PostID?, _ replySettings: ReplySettings?,
    _ options: CallOptions
  ) async throws(ThreadError) -> [CreatedPost] {
    var posted = posted
    var replyTo = replyTo
    var replySettings = replySettings
    for (index, post) in zip(posts.indices, posts) {
      do throws(CallError) {
        // Between two posts is the last moment when it is certain what has been posted.
        if Task.isCancelled { throw .cancelled }
        let created = try await createPosts(
          text: post.text, replySettings: replySettings,
          reply: replyTo.map { CreatePostsReply(inReplyToTweetID: $0) }, quoteTweetID: post.quoteTweetID,
          media: post.media, poll: post.poll, options: options)
        posted.append(created.data)
        replyTo = created.data.id
        replySettings = nil
      } catch {
        throw ThreadError(
          posted: posted, remaining: Array(posts[index...]), replyTo: replyTo, replySettings: replySettings,
          cause: error)
      }
    }
    return posted
  }
}

extension XAPI {
  /// One post of a thread.
  public struct ThreadPost: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text.
    public var text: String?
    /// Pictures or a video that have been uploaded.
    public var media: CreatePostsMedia?
    /// A poll.
    public var poll: CreatePostsPoll?
    /// A post to quote.
    public var quoteTweetID: PostID?

    /// Creates a post.
    public init(
      text: String? = nil, media: CreatePostsMedia? = nil, poll: CreatePostsPoll? = nil, quoteTweetID: PostID? = nil
    ) {
      self.text = text
      self.media = media
      self.poll = poll
      self.quoteTweetID = quoteTweetID
    }

    /// Creates a post with only a text.
    public init(stringLiteral value: String) { self.init(text: value) }
  }
}

/// A thread that could not be posted completely: the created posts, the remaining ones, and the reason.
public struct ThreadError: Error, Sendable {
  /// The created posts, in order. They are not deleted.
  public let posted: [XAPI.CreatedPost]
  /// The posts that were not created, in order. The first one is the one that failed.
  public let remaining: [XAPI.ThreadPost]
  /// The post that the first of ``remaining`` replies to; `nil` if it starts the thread.
  public let replyTo: XAPI.PostID?
  /// Who can reply, for the thread's first post; `nil` if that post was created, or no setting was chosen.
  public let replySettings: XAPI.ReplySettings?
  /// The error of the call that failed.
  public let cause: CallError

  /// Whether the first of ``remaining`` may have been posted nevertheless, because its response was lost, unreadable or a server
  /// error (5xx). Look at the account's newest posts before you continue.
  public var mayHaveBeenPosted: Bool { cause.mayHaveBeenCarriedOut }
}

extension ThreadError: CallsignError {
  /// What to do about it, in one sentence.
  public var advice: String {
    mayHaveBeenPosted
      ? "it may exist anyway: check, then continue with resumeThread(_:afterPosted:)"
      : "continue with resumeThread(_:)"
  }

  /// The failure and what to do, in one line.
  public var description: String {
    "post \(posted.count + 1) of \(posted.count + remaining.count) failed (\(cause)); \(advice)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}
