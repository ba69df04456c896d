import Foundation
import XText

// Measures how long counting texts of 25,000 code points takes: usual texts, and the worst known ones. One repeated piece is worse
// than a mixture, because it takes the same slow path again and again.
//
//   TextBench            a table, in milliseconds of this thread's processor time
//   TextBench NAME COUNT counts one text that many times, for valgrind

let texts: [(name: String, piece: String)] = [
  ("English", "The quick brown fox jumps over the lazy dog, and then it rests. "),
  ("Japanese", "日本語のテキストは、このように書かれます。"),
  ("a mixture", "a👍🏽é http://a.co/x 日本 @a "),
  ("women, joined", "👩\u{200D}"), ("families", "👨\u{200D}👩\u{200D}👧\u{200D}👦"), ("flags", "🇩🇪"),
  ("keycaps", "1\u{FE0F}\u{20E3}"),
  ("URLs with a parenthesis that is open", "http://a.co/("), ("hosts", "a.co "), ("full stops", "."),
  ("hosts in Japanese", "a.みんな "), ("encoded hosts", "http://日本語漢字.みんな "),
  ("accents apart", "e\u{302}\u{301}"), ("accents in the wrong order", "\u{301}\u{316}"),
  ("Korean in parts", "\u{1112}\u{1161}\u{11AB}"),
  ("musical signs that come apart", "\u{1D15E}"), ("compatible ideographs", "\u{2F800}"),
  ("Tibetan vowels that come apart", "\u{0F73}\u{0F71}"),
]

func text(_ piece: String) -> String { String(repeating: piece, count: 25_000 / piece.unicodeScalars.count) }

/// The processor time of this thread in milliseconds. Other work on the machine has little influence on it.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

func count(_ text: String) -> Double {
  let start = processorTime()
  let counted = PostText(text, configuration: .longPosts)
  let end = processorTime()
  // Used, so that the compiler cannot remove the work.
  precondition(counted.weightedLength >= 0)
  return end - start
}

let arguments = CommandLine.arguments
if arguments.count == 3, let chosen = texts.first(where: { $0.name == arguments[1] }), let times = Int(arguments[2]) {
  let text = text(chosen.piece)
  for _ in 0..<times { _ = count(text) }
} else {
  print("the first of a process: \(String(format: "%.2f", count("a 👩 é.com e\u{301}"))) ms\n")
  print("| 25,000 code points of | median, ms | fastest |\n| --- | ---: | ---: |")
  for (name, piece) in texts {
    let text = text(piece)
    let rounds = (0..<101).map { _ in count(text) }.sorted()
    print("| \(name) | \(String(format: "%.2f | %.2f", rounds[50], rounds[0])) |")
  }
}
