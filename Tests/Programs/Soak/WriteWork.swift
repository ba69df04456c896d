import Callsign
import CallsignX
import Foundation

/// Writes posts, and finds out what became of those whose response was lost.
struct WriteWork: Sendable {
  let session: SoakSession

  /// - Parameter number: Which of the writers it is.
  func write(_ number: Int) async {
    var chance = Chance(seed: session.settings.seed, for: "writer \(number)")
    while await !session.deadline.isOver, !Task.isCancelled {
      await writeOne(&chance)
      try? await Task.sleep(for: chance.seconds(0...(2 * session.settings.secondsBetweenPosts)))
    }
  }

  func writeOne(_ chance: inout Chance) async {
    let (tally, ledger) = (session.tally, session.ledger)
    let number = await ledger.begin()
    let text = PostText.make(number, &chance)
    await tally.add(.writesSent)
    do throws(CallError) {
      let post = try await session.x.createPosts(text: text)
      await tally.add(.writesDone)
      await ledger.created(number, id: post.data.id)
    } catch {
      if error.problems.contains(where: { $0.detail?.contains("duplicate") == true }) {
        await tally.problem("post \(number) was sent twice: the API refuses a duplicate")
      }
      // Nobody is left to ask whether it was done.
      if error.isCancellation { return }
      let isUnsent: Bool
      switch error {
      case .mayHaveSucceeded, .unexpectedContent, .unreadableResult, .decoding: isUnsent = false
      case .api:
        // A server's error may come after the deed.
        await tally.add(.writesFailed)
        isUnsent = false
      case .transport, .rateLimited, .authorization, .invalidCall:
        await tally.add(.writesRefused)
        isUnsent = true
      case .cancelled: return
      }
      await resolve(number, error, isUnsent: isUnsent)
    }
  }

  /// Asks the API.
  private func resolve(_ number: Int, _ error: CallError, isUnsent: Bool) async {
    // A request that was cut off may still be at work.
    try? await Task.sleep(for: .milliseconds(300))
    let id = await find(number)
    if let id { await session.ledger.created(number, id: id) }
    if isUnsent {
      await session.ledger.unsent(number)
    } else {
      if id == nil { await session.ledger.absent(number) }
      if case .api = error { return }
      await session.tally.add(id == nil ? .writesMaybeNot : .writesMaybeHad)
    }
  }

  private func find(_ number: Int) async -> String? {
    while !Task.isCancelled {
      do throws(CallError) {
        let page = try await session.x.getUsersPosts(id: session.alice, maxResults: 100)
        return page.value.data.first { PostText.number(in: $0.text) == number }?.id
      } catch { try? await Task.sleep(for: .milliseconds(50)) }
    }
    return nil
  }

  /// Deletes old posts, so that the sandbox does not grow.
  func sweep() async {
    while await !session.deadline.isOver, !Task.isCancelled {
      for (number, id) in await session.ledger.deletable(before: Date(timeIntervalSinceNow: -20)) {
        do throws(CallError) {
          _ = try await session.x.deletePosts(id: id)
          await session.ledger.deleted(number)
          await session.tally.add(.deletes)
        } catch {
          // Deleted by an attempt whose response was lost.
          if case .api(let refusal) = error, refusal.status.code == 404 { await session.ledger.deleted(number) }
        }
      }
      try? await Task.sleep(for: .milliseconds(500))
    }
  }
}

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
    let file: RandomFile
    do {
      file = try RandomFile(
        session.folder.appendingPathComponent("upload-\(number)"), beginning: isVideo ? Self.mp4 : Self.png, size: size,
        &chance)
    } catch { return await session.tally.problem("a file could not be written: \(error)") }
    defer { file.remove() }

    let options = UploadOptions(
      chunkSize: 32_768 * chance.number(1...16), concurrency: chance.number(1...4),
      retry: RetryPolicy(attempts: chance.number(2...5), baseDelay: .milliseconds(40)))
    await session.tally.add(.uploadsBegun)
    var resumption: UploadResumption?
    while true {
      do throws(UploadError) {
        let media = try await session.x.upload(file: file.url, resuming: resumption, options: options)
        return await compare(media.id, file)
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

  private func compare(_ id: String, _ file: RandomFile) async {
    let arrived = try? await session.sandbox.media(id)
    guard let arrived, arrived.sha256 == file.sha256, arrived.size == file.size else {
      return await session.tally.problem(
        "upload \(id): \(file.size) bytes were sent, and other ones have arrived: \(String(describing: arrived))")
    }
    await session.tally.add(.uploadsArrived)
    await session.tally.add(.uploadedBytes, file.size)
  }
}

/// Has access tokens refused before they expire.
struct RevocationWork: Sendable {
  let session: SoakSession

  func revoke() async {
    var chance = Chance(seed: session.settings.seed, for: "revocations")
    while true {
      // A token that is refused twice within ten seconds is not refreshed for it.
      let pause = ContinuousClock.now + chance.seconds(15...30)
      while ContinuousClock.now < pause {
        if await session.deadline.isOver || Task.isCancelled { return }
        try? await Task.sleep(for: .milliseconds(200))
      }
      guard let token = try? await session.store.token(for: session.oauth2.key),
        (try? await session.sandbox.revoke(token: token.accessToken.reveal())) != nil
      else { continue }
      await session.tally.add(.revocations)
    }
  }
}
