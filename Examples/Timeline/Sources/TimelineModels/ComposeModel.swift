import CallsignX
import Foundation
import Observation
import XText

/// A post that the person is writing.
@MainActor @Observable public final class ComposeModel {
  /// A photo for the post, in the app's own file.
  public struct Photo: Sendable, Equatable {
    /// The file.
    public var file: URL
    /// A description for people who cannot see it.
    public var altText: String

    /// Describes a photo.
    public init(file: URL, altText: String = "") {
      self.file = file
      self.altText = altText
    }
  }

  /// The text during typing; counted at every keystroke.
  public var text = "" {
    didSet { if text != oldValue { count = PostText(text) } }
  }
  /// The photo.
  public var photo: Photo? {
    didSet { if photo != oldValue { (uploaded, resumption) = (nil, nil) } }
  }
  /// The photo's description for people who cannot see it.
  public var altText: String {
    get { photo?.altText ?? "" }
    set { photo?.altText = newValue }
  }
  /// The progress of the upload, 0 to 1; `nil` if nothing is being sent.
  public private(set) var progress: Double?
  /// Whether the post is being sent.
  public private(set) var isSending = false
  /// The last problem, in words for the person.
  public var problem: String?

  private var count = PostText("")
  @ObservationIgnored private let x: XAPI
  /// The upload's state at X, so that another attempt does not send the photo again.
  @ObservationIgnored private var uploaded: String?
  @ObservationIgnored private var resumption: UploadResumption?

  /// Creates an empty draft.
  public init(x: XAPI) { self.x = x }

  /// The number of characters left at X; negative if there are too many.
  public var remaining: Int { count.remaining }

  /// Whether it may be sent: a valid text, or only a photo.
  public var canSend: Bool { !isSending && (count.isValid || (text.isEmpty && photo != nil)) }

  /// The end of the text beyond the limit, to be marked.
  public var excess: Substring { count.string[count.validRange.indices.upperBound...] }

  /// Sends the photo, then the post.
  ///
  /// - Returns: The post's ID; `nil` if ``problem`` says why there is none. The draft then stays.
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
      // Continues where it ended, if the person tries again with the same photo.
      resumption = error.resumption
      throw error
    }
  }

  private func advance(to fraction: Double) {
    guard let progress else { return }
    self.progress = max(progress, fraction)
  }
}
