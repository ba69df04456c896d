import Foundation

/// Endless posts for the server to send.
enum PostStream {
  private static let count = 500
  /// All records have this size.
  static let recordSize = 1_100

  /// The same texts with other IDs, so that no record repeats.
  static func send(_ connection: Int32) {
    var block: [UInt8] = []
    var places: [Int] = []
    for number in 0..<count {
      let before = Array(#"{"data":{"id":""#.utf8)
      let link =
        #"{"start":0,"end":23,"url":"https://t.co/abcdefghij","expanded_url":"https://example.com/a/longer/path"}"#
      let metrics = #"{"retweet_count":\#(number),"reply_count":2,"like_count":\#(number * 7),"quote_count":0}"#
      let after = Array(
        (#"","author_id":"2244994945","conversation_id":"1346889436626259968","created_at":"2026-11-22T10:00:00.000Z","#
          + #""lang":"en","edit_history_tweet_ids":["1346889436626259968"],"entities":{"urls":[\#(link),\#(link)]},"#
          + #""public_metrics":\#(metrics),"reply_settings":"everyone","possibly_sensitive":false,"text":""#).utf8)
      let end = Array(#""},"matching_rules":[{"id":"1346889436626259968","tag":"release"}]}"#.utf8) + [0x0D, 0x0A]
      places.append(block.count + before.count)
      let text = Array("A sentence of a post, größer 🚀 than most. ".utf8)
      let room = recordSize - before.count - 19 - after.count - end.count
      var words: [UInt8] = []
      while words.count + text.count <= room { words += text }
      words += [UInt8](repeating: UInt8(ascii: "."), count: room - words.count)
      block += before + [UInt8](repeating: UInt8(ascii: "0"), count: 19) + after + words + end
    }
    var id = 1_346_889_436_626_259_968
    while true {
      for place in places {
        id += 1
        var rest = id
        for offset in stride(from: 18, through: 0, by: -1) {
          block[place + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      guard LoopbackListener.write(connection, block) else { return }
    }
  }
}
