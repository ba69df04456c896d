extension XAPI {
  /// Posts a thread: one post after the other, each in reply to the one before. It stops at the first that fails.
  ///
  /// - Parameters:
  ///   - posts: The posts, first to last.
  ///   - replyTo: A post that the first one replies to; `nil`, the default, begins a thread.
  ///   - replySettings: Who may reply, for the first post.
  ///   - options: What these calls do differently from their client.
  /// - Returns: The posts that were made, in their order.
  /// - Throws: ``ThreadError``, which says what was posted and what was not.
  @discardableResult
  public func postThread(
    _ posts: [ThreadPost], replyingTo replyTo: PostID? = nil, replySettings: ReplySettings? = nil,
    options: CallOptions = CallOptions()
  ) async throws(ThreadError) -> [CreatedPost] {
    try await post(posts[...], after: [], replyTo: replyTo, replySettings, options)
  }

  /// Goes on with a thread that failed.
  ///
  /// - Parameters:
  ///   - failure: What ``postThread(_:replyingTo:replySettings:options:)`` threw.
  ///   - uncertain: The id of the failed post, where it turned out to be there all the same
  ///     (``ThreadError/mayHaveBeenPosted``); then the thread goes on after it. `nil` posts it again.
  ///   - options: What these calls do differently from their client.
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
