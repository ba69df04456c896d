import Callsign
import CallsignSupport
import XCore
import XText

extension XAPI {
  /// Posts a thread: one post after the other, each in reply to the one before. It stops at the first that fails.
  ///
  /// - Parameters:
  ///   - posts: The posts, first to last.
  ///   - replyTo: A post that the first one replies to; `nil`, the default, begins a thread.
  ///   - replySettings: Who may reply, for the first post.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Returns: The posts that were made, in their order.
  /// - Throws: ``ThreadError``, which says what was posted and what was not.
  @discardableResult
  public func postThread(
    _ posts: [ThreadPost], replyingTo replyTo: PostID? = nil, replySettings: ReplySettings? = nil,
    options: CallOptions = CallOptions()
  ) async throws(ThreadError) -> [CreatedPost] {
    try await post(posts[...], after: [], replyTo: replyTo, replySettings, options)
  }

  /// Posts a text as a thread, split at sentences and words as ``PostText/thread(_:numbering:configuration:)`` does it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - numbering: How the posts are numbered; by default not.
  ///   - configuration: How the text is counted.
  ///   - replyTo: A post that the first one replies to; `nil`, the default, begins a thread.
  ///   - replySettings: Who may reply, for the first post.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Returns: The posts that were made, in their order; none of a text that is empty.
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

  /// Goes on with a thread that failed.
  ///
  /// - Parameters:
  ///   - failure: The error of ``postThread(_:replyingTo:replySettings:options:)``.
  ///   - uncertain: The id of the failed post, where it turned out to be there all the same
  ///     (``ThreadError/mayHaveBeenPosted``); then the thread goes on after it. `nil` posts it again.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Returns: All posts of the thread, those of before included, but not the uncertain one, of which only the id is
  ///   known.
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
        // Between two posts is the last moment at which it is certain what has been posted.
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

/// A thread that could not be posted to its end: the posts that were made, those that were not, and why.
public struct ThreadError: Error, Sendable {
  /// The posts that were made, in their order. They stay.
  public let posted: [XAPI.CreatedPost]
  /// The posts that were not made, in their order; the first is the one that failed.
  public let remaining: [XAPI.ThreadPost]
  /// The post that the first of ``remaining`` replies to; `nil` where it begins the thread.
  public let replyTo: XAPI.PostID?
  /// The people who may reply, for the thread's first post; `nil` where that was made, or none were chosen.
  public let replySettings: XAPI.ReplySettings?
  /// The error of the call that failed.
  public let cause: CallError

  /// Whether the first of ``remaining`` may have been posted all the same, its response being lost, unreadable or a
  /// server's error (5xx). Look at the account's newest posts before going on.
  public var mayHaveBeenPosted: Bool { cause.mayHaveBeenCarriedOut }
}

extension ThreadError: CallsignError {
  /// Advice on it, in one sentence.
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
