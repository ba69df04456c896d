import Foundation

/// Every post that was written, and its fate on each stream. Posts have numbers, from 1.
actor PostLedger {
  enum Stream: Int, CaseIterable, Sendable {
    case filtered
    case statuses

    var name: String { self == .filtered ? "stream v2" : "stream v1.1" }
  }

  /// Whether a post was created.
  private enum Fate: UInt8 {
    case unknown
    case created
    /// The API has no such post, as far as it was asked.
    case absent
    /// The library says that it cannot have been sent.
    case unsent
  }

  /// A stream's deliveries of a post.
  private struct Receipt {
    /// Seconds since 1970.
    var first: Double = .infinity
    var count: UInt8 = 0
  }

  private struct Post {
    /// Seconds since 1970. It was not created before.
    var begun: Double
    var id: UInt64 = 0
    var fate = Fate.unknown
    var receipts = (Receipt(), Receipt())
    var isDeleted = false

    subscript(_ stream: Stream) -> Receipt {
      get { stream == .filtered ? receipts.0 : receipts.1 }
      set { if stream == .filtered { receipts.0 = newValue } else { receipts.1 = newValue } }
    }
  }

  private struct Gap {
    var from: Double
    var to: Double
  }

  /// How long a post is kept, in seconds. By then it has arrived, or never will.
  static let settlingTime = 120.0

  /// Those that are not settled, by their numbers.
  private var posts: [Int: Post] = [:]
  private var lastNumber = 0
  private var gaps: [[Gap]] = [[], []]
  /// The settled posts: memory must not grow with their number.
  private var settled = [Account(), Account()]
  /// The numbers of settled posts that did not arrive, and of those that have no verdict.
  private var settledAbsent: [Set<Int>] = [[], []]
  private var settledUndecided: [Int] = []
  private let tally: Tally

  init(_ tally: Tally) { self.tally = tally }

  // MARK: Writing

  /// A post is about to be written.
  func begin() -> Int {
    lastNumber += 1
    posts[lastNumber] = Post(begun: Date().timeIntervalSince1970)
    return lastNumber
  }

  func created(_ number: Int, id: String) async { await note(number, id: id, "the API's response") }

  /// The API was asked, and has no such post yet.
  func absent(_ number: Int) { if posts[number]?.fate == .unknown { posts[number]?.fate = .absent } }

  /// The library says that nothing was sent.
  func unsent(_ number: Int) async {
    guard let fate = posts[number]?.fate else { return }
    if fate == .unknown {
      posts[number]?.fate = .unsent
    } else {
      await tally.problem("post \(number) is there, but the error said that it was not sent")
    }
  }

  private func note(_ number: Int, id text: String, _ source: String) async {
    guard let id = UInt64(text), (1...max(1, lastNumber)).contains(number), lastNumber > 0 else {
      return await tally.problem("\(source) has a post that nobody wrote: number \(number), id \(text)")
    }
    guard let post = posts[number] else { return }
    posts[number]?.fate = .created
    posts[number]?.id = id
    if post.id != 0, post.id != id { await tally.problem("post \(number) was created twice: \(post.id) and \(id)") }
    if post.fate == .unsent { await tally.problem("\(source) has post \(number), which the library says was not sent") }
  }

  /// Posts to be deleted now: they started earlier and were received. The oldest come first, so that none waits for ever if
  /// deleting is slower than writing.
  func deletable(before date: Date) -> [(number: Int, id: String)] {
    let found = posts.filter { _, post in
      post.begun < date.timeIntervalSince1970 && post.fate == .created && !post.isDeleted && post[.filtered].count > 0
    }
    return found.map { ($0.key, String($0.value.id)) }.sorted { $0.0 < $1.0 }.prefix(100).map { $0 }
  }

  func deleted(_ number: Int) { posts[number]?.isDeleted = true }

  // MARK: Receiving

  func received(_ number: Int, id: String, from stream: Stream) async {
    await note(number, id: id, stream.name)
    guard (1...max(1, lastNumber)).contains(number) else { return }
    guard var receipt = posts[number]?[stream] else {
      // It had been given up and is late, or it comes twice.
      if settledAbsent[stream.rawValue].remove(number) != nil {
        settled[stream.rawValue].late(number)
      } else {
        settled[stream.rawValue].duplicates += 1
      }
      return
    }
    receipt.first = min(receipt.first, Date().timeIntervalSince1970)
    if receipt.count < .max { receipt.count += 1 }
    posts[number]?[stream] = receipt
  }

  func gap(from: Date, to: Date, in stream: Stream) {
    gaps[stream.rawValue].append(Gap(from: from.timeIntervalSince1970, to: to.timeIntervalSince1970))
  }

  /// Whether a post that was begun after this date has arrived by each stream.
  func hasArrived(since date: Date) -> Bool {
    Stream.allCases.allSatisfy { stream in
      posts.values.contains { $0.begun > date.timeIntervalSince1970 && $0[stream].count > 0 }
    }
  }

  // MARK: Accounting

  struct Account: Sendable {
    var created = 0
    var received = 0
    var duplicates = 0
    /// Not received, in a gap that the stream reported.
    var inGaps = 0
    /// Not received without a reported reason; this includes posts in transit.
    var missing: [Int] = []

    /// A post that had been given up has come after all.
    mutating func late(_ number: Int) {
      received += 1
      if let place = missing.firstIndex(of: number) { missing.remove(at: place) } else { inGaps -= 1 }
    }
  }

  /// Takes the posts that are old enough into the account, and forgets them.
  func settle(now: Date = Date()) {
    let limit = now.timeIntervalSince1970 - Self.settlingTime
    // A post that has to be deleted is kept until it is.
    let old = posts.filter { _, post in
      post.begun < limit && (post.isDeleted || post.fate != .created || post[.filtered].count == 0)
    }
    guard !old.isEmpty else { return }
    for stream in Stream.allCases {
      account(of: stream, into: &settled[stream.rawValue]) { old[$0] != nil }
      settledAbsent[stream.rawValue].formUnion(
        old.filter { $0.value.fate == .created && $0.value[stream].count == 0 }.keys)
    }
    settledUndecided += old.filter { $0.value.fate == .unknown }.keys.sorted()
    for number in old.keys { posts[number] = nil }
    // A post that waits for its deletion is settled late, and needs the gaps of its time.
    let oldest = posts.values.map(\.begun).min() ?? limit
    for stream in Stream.allCases { gaps[stream.rawValue].removeAll { $0.to < oldest } }
  }

  func account(of stream: Stream) -> Account {
    var account = settled[stream.rawValue]
    self.account(of: stream, into: &account) { _ in true }
    return account
  }

  /// Adds the posts that are not settled, as far as they are chosen.
  private func account(of stream: Stream, into account: inout Account, chosen: (Int) -> Bool) {
    // A post can be lost in a gap that ended after the post was begun, unless a later one had arrived before the gap: each
    // connection brings posts in the order of their creation, which is the order of their IDs.
    var laterArrival = Double.infinity
    for (number, post) in posts.filter({ $0.value.fate == .created }).sorted(by: { $0.value.id > $1.value.id }) {
      let receipt = post[stream]
      if chosen(number) {
        account.created += 1
        account.duplicates += max(0, Int(receipt.count) - 1)
        if receipt.count > 0 {
          account.received += 1
        } else if gaps[stream.rawValue].contains(where: { post.begun <= $0.to && laterArrival > $0.from }) {
          account.inGaps += 1
        } else {
          account.missing.append(number)
        }
      }
      laterArrival = min(laterArrival, receipt.first)
    }
  }

  /// Posts whose existence was never determined.
  var undecided: [Int] { settledUndecided + posts.filter { $0.value.fate == .unknown }.keys.sorted() }
}

/// The broken promises, in words.
actor Problems {
  private(set) var all: [String] = []
  func add(_ problem: String) { all.append(problem) }
}

/// The text of a post: a word that the streams search for, its number, and more text, so that records have all sizes and contain
/// UTF-8 sequences that can be cut.
enum PostText {
  static let word = "soaked"
  private static let words = ["plain", "naïve", "größer", "日本語", "🌊", "👩‍🚀", "\"quoted\"", "back\\slash", "line\nbreak"]

  static func make(_ number: Int, _ chance: inout Chance) -> String {
    let rest = (0..<chance.number(0...12)).map { _ in words[chance.number(0...(words.count - 1))] }
    return (["\(word) \(number)"] + rest).joined(separator: " ")
  }

  /// The number in a text; `nil` for a text from elsewhere.
  static func number(in text: String) -> Int? {
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0] == word else { return nil }
    return Int(parts[1])
  }
}
