/// What a file is uploaded for; X has a category for each, and each has limits of its own.
public enum UploadPurpose: Sendable, Hashable {
  /// To be attached to a post.
  case post
  /// To be attached to a direct message.
  case directMessage
  /// To be used in an advertisement; makes a difference for videos.
  case advertisement
}
