import Foundation
import Testing

@testable import CallsignCommandLine

@Suite("Lines of bytes that come in pieces") struct LineSplitterTests {
  private func lines(_ pieces: [String], limit: Int = 8) -> [LineSplitter.Line] {
    var splitter = LineSplitter(limit: limit)
    var lines = pieces.flatMap { splitter.take(Array($0.utf8)[...]) }
    if let line = splitter.finish() { lines.append(line) }
    return lines
  }

  private func whole(_ texts: String...) -> [LineSplitter.Line] { texts.map { .whole(Data($0.utf8)) } }

  @Test("Lines end where they end, however the pieces are cut, and the last one needs no end")
  func pieces() {
    #expect(lines(["a\nbc\nd"]) == whole("a", "bc", "d"))
    #expect(lines(["a", "b", "\nc\n"]) == whole("ab", "c"))
    #expect(lines([]) == [] && lines([""]) == [])
  }

  @Test("Blank lines are skipped") func blank() {
    #expect(lines(["\n\na\n \t\r\n", "\n", "  "]) == whole("a"))
  }

  @Test("A line that is too long is reported once, and the following lines are complete") func long() {
    #expect(lines(["12345678\n123456789\na"]) == whole("12345678") + [.tooLong] + whole("a"))
    #expect(lines(["12345", "6789", "0123456789", "\nab\n"]) == [.tooLong] + whole("ab"))
    #expect(lines(["123456789"]) == [.tooLong])
  }
}
