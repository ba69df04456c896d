import CallsignX
import Foundation
import XText

// The blocks about a post's text, word for word. Compiled, never run.

private func counting() {
  let text = PostText("Hi http://test.co 👨‍👩‍👧‍👦")
  print(text.weightedLength, text.remaining, text.isValid)  // 29, 251, true
  if let problem = text.problem { print(problem) }  // the text has a length of 290, but the maximum is 280
  let marked = text.string[text.validRange.indices.upperBound...]  // to mark in red

  print(marked)
}

private func checking(_ x: XAPI, _ draft: String) async throws {
  var options = CallOptions()
  options.checksText = true
  let post = try await x.createPosts(text: draft, options: options)

  print(post.data.id)
}

private func splitting(_ x: XAPI, _ draft: String) async throws {
  try await x.postThread(splitting: draft, numbering: .end)
  let posts = PostText.thread(draft, numbering: ThreadNumbering(.beginning) { "[\($0) of \($1)]" })

  print(posts)
}

private func reading(_ x: XAPI) async throws {
  let page = try await x.getUsersTimeline(id: "2244994945", postFields: .standard, expansions: .standard)
  for post in page.data { print(post.wholeText(in: page.includes)) }
}

private func linking() {
  let entities = PostEntities("Ask @jack about #swift: https://swift.org")
  for entity in entities.all { print(entity.kind, entity.range.codePoints, entity.range.utf16) }

  var autolink = Autolink()
  autolink.urlTarget = "_blank"
  let html = autolink.html("1 < 2, says @jack")  // escaped
  let attributed = autolink.attributedString("Ask @jack")  // for SwiftUI

  let marked = HitHighlighting.highlight("a <b>found</b> word", hits: [2..<7])

  print(html, attributed, marked)
}

private func marking(_ x: XAPI) async throws {
  let post = try await x.getPostsById(id: "20", postFields: [.entities]).data
  for url in post.entities?.urls ?? [] {
    guard let range = TextRange(codePointsFrom: url.start, to: url.end, in: post.text) else { continue }
    print(post.text[range.indices])
  }
}

private func unescaping() {
  let text = PostText.unescaped("Tom &amp; Jerry")  // Tom & Jerry

  var autolink = Autolink()
  autolink.unescapesText = true
  let html = autolink.html("Tom &amp; Jerry")  // Tom &amp; Jerry, and not &amp;amp;

  print(text, html)
}
