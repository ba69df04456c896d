import CallsignX
import Foundation
import Observation
import XText

/// A post that is being written.
@MainActor @Observable public final class ComposeModel {
  /// A photo that goes with it, in a file of the app's own.
  public struct Photo: Sendable, Equatable {
    /// The file.
    public var file: URL
    /// A text for those who cannot see it.
    public var altText: String

    /// Describes a photo.
    public init(file: URL, altText: String = "") {
      self.file = file
      self.altText = altText
    }
  }

  /// The text as it is being typed; counted at every keystroke.
  public var text = "" {
    didSet { if text != oldValue { count = PostText(text) } }
  }
  /// The photo.
  public var photo: Photo? {
    didSet { if photo != oldValue { (uploaded, resumption) = (nil, nil) } }
  }
  /// The photo's text for those who cannot see it.
  public var altText: String {
    get { photo?.altText ?? "" }
    set { photo?.altText = newValue }
  }
  /// How far the upload is, 0 to 1; `nil` where nothing is being sent.
  public private(set) var progress: Double?
  /// Whether the post is being sent.
  public private(set) var isSending = false
  /// Words for the person about what went wrong last.
  public var problem: String?

  private var count = PostText("")
  @ObservationIgnored private let x: XAPI
  /// The upload as X has it, so that another try does not send the photo again.
  @ObservationIgnored private var uploaded: String?
  @ObservationIgnored private var resumption: UploadResumption?

  /// Makes an empty draft.
  public init(x: XAPI) { self.x = x }

  /// How many of X's characters are left; negative if there are too many.
  public var remaining: Int { count.remaining }

  /// Whether it may be sent: a valid text, or a photo alone.
  public var canSend: Bool { !isSending && (count.isValid || (text.isEmpty && photo != nil)) }

  /// The end of the text that is too much, to be marked.
  public var excess: Substring { count.string[count.validRange.indices.upperBound...] }

  /// Sends the photo, then the post.
  ///
  /// - Returns: The post's id; `nil` where ``problem`` says why there is none. The draft stays then.
  public func send() async -> String? {
    guard canSend else { return nil }
    (isSending, problem) = (true, nil)
    defer { (isSending, progress) = (false, nil) }
    do {
      let media = try await upload()
      var options = CallOptions()
      options.checksText = true
      let post = try await x.createPosts(
        text: text.isEmpty ? nil : text, media: media.map { .init(mediaIDs: [$0]) }, options: options)
      (text, photo) = ("", nil)
      return post.data.id
    } catch CallError.mayHaveSucceeded {
      problem = "The response was lost. Look whether the post is there before you send it again."
    } catch {
      problem = Words.problem(error)
    }
    return nil
  }

  private func upload() async throws -> String? {
    guard let photo else { return nil }
    if let uploaded { return uploaded }
    progress = 0
    do throws(UploadError) {
      let receipt = try await x.upload(
        file: photo.file, altText: photo.altText.isEmpty ? nil : photo.altText, resuming: resumption
      ) { [weak self] state in
        Task { @MainActor in self?.advance(to: state.fractionCompleted) }
      }
      (uploaded, resumption) = (receipt.id, nil)
      return receipt.id
    } catch {
      // Goes on where it ended, if the person tries again with the same photo.
      resumption = error.resumption
      throw error
    }
  }

  private func advance(to fraction: Double) {
    guard let progress else { return }
    self.progress = max(progress, fraction)
  }
}
