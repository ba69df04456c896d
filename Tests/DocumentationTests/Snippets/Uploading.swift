import CallsignX
import Foundation

// The blocks about uploads, word for word. Compiled, never run.

private func photo(_ x: XAPI, picture: URL) async throws {
  let photo = try await x.upload(file: picture, altText: "A cat on a keyboard")
  try await x.createPosts(text: "a cat", media: .init(mediaIDs: [photo.id]))
}

private func upload(_ x: XAPI, video: URL) async throws {
  let media = try await x.upload(file: video, altText: "A cat on a keyboard") { progress in
    print(progress.phase, progress.fractionCompleted)
  }
  try await x.createPosts(text: "look", media: .init(mediaIDs: [media.id]))
}

private func resumption(_ x: XAPI, video: URL) async throws {
  do {
    try await x.upload(file: video)
  } catch {
    print(error)  // what happened, and what to do
    if let rest = error.resumption { try await x.upload(file: video, resuming: rest) }
  }
}
