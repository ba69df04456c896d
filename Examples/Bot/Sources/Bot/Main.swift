import CallsignX
import Foundation

@main struct Main {
  static func main() async {
    do {
      let environment = ProcessInfo.processInfo.environment
      let bot = try Bot(x: BotSettings.client(environment), settings: BotSettings(environment), reply: count)
      let work = Task { try await bot.run() }
      let signals = stopping(at: [SIGTERM, SIGINT]) { work.cancel() }
      defer { withExtendedLifetime(signals) {} }
      try await work.value
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// A reply that shows what a post contains; replace it with yours.
  @Sendable static func count(_ post: XAPI.Post) -> String {
    let text = PostText(post.text)
    let words = post.text.split(whereSeparator: \.isWhitespace).count
    return "\(words) words, and \(text.weightedLength) of the 280 characters that X counts."
  }

  /// Calls a closure when one of the signals arrives, instead of ending the process.
  private static func stopping(at signals: [Int32], _ stop: @escaping @Sendable () -> Void)
    -> [any DispatchSourceSignal]
  {
    signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: stop)
      source.resume()
      return source
    }
  }
}
