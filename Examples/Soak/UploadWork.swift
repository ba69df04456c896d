import Callsign
import CallsignX
import Foundation

/// Uploads pictures and videos of all sizes, and compares what has arrived.
struct UploadWork: Sendable {
  let session: SoakSession
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let mp4: [UInt8] = [0, 0, 0, 0x18] + Array("ftypisom".utf8)

  func upload() async {
    var chance = Chance(seed: session.settings.seed, for: "uploads")
    var number = 0
    while await !session.deadline.isOver, !Task.isCancelled {
      number += 1
      await uploadOne(number, &chance)
    }
  }

  private func uploadOne(_ number: Int, _ chance: inout Chance) async {
    let isVideo = chance.happens(0.4)
    let size = chance.number(1_000...(isVideo ? session.settings.largestVideo : 1 << 20))
    var bytes = Data(isVideo ? Self.mp4 : Self.png)
    while bytes.count < size { withUnsafeBytes(of: chance.next()) { bytes.append(contentsOf: $0) } }
    let file = session.folder.appendingPathComponent("upload-\(number)")
    do { try bytes.write(to: file) } catch {
      return await session.tally.problem("a file could not be written: \(error)")
    }
    defer { try? FileManager.default.removeItem(at: file) }

    let options = UploadOptions(
      chunkSize: 32_768 * chance.number(1...16), concurrency: chance.number(1...4),
      retry: RetryPolicy(attempts: chance.number(2...5), baseDelay: .milliseconds(40)))
    await session.tally.add(.uploadsBegun)
    var resumption: UploadResumption?
    while true {
      do throws(UploadError) {
        let media = try await session.x.upload(file: file, resuming: resumption, options: options)
        return await compare(media.id, bytes)
      } catch {
        if Task.isCancelled { return await session.tally.problem("upload \(number) did not end in time: \(error)") }
        guard error.callError != nil else { return await session.tally.problem("upload \(number): \(error)") }
        if let callError = error.callError, case .api(let refusal) = callError,
          (400..<500).contains(refusal.status.code)
        {
          let details = refusal.problems.map { "\($0)" }.joined(separator: "; ")
          return await session.tally.problem(
            "upload \(number)\(resumption == nil ? "" : ", resumed"): \(error); \(details)")
        }
        resumption = error.resumption
        await session.tally.add(.uploadsResumed)
      }
    }
  }

  private func compare(_ id: String, _ bytes: Data) async {
    let arrived = await session.sandbox.media(id)
    guard arrived?.sha256 == sha256(bytes), arrived?.size == bytes.count else {
      return await session.tally.problem(
        "upload \(id): \(bytes.count) bytes were sent, and other ones have arrived: \(String(describing: arrived))")
    }
    await session.tally.add(.uploadsArrived)
    await session.tally.add(.uploadedBytes, bytes.count)
  }
}
