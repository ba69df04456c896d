import Callsign
import Foundation
import Workload

/// Reads and writes a page of posts, and reads its properties. For comparison, it uses Foundation's coders with structs of the same
/// shape.
enum ModelBench {
  static func work(_ name: String) throws -> Work? {
    switch name {
    case "decode", "encode", "read-int", "read-string", "read-nested": try values(name)
    case "json-value": try jsonValue()
    case "json-decoder", "json-encoder": try foundation(name)
    default: nil
    }
  }

  static let page: Result<Data, any Error> = Result { try Page.json(posts: 121, seed: 2_026) }

  private static func values(_ name: String) throws -> Work {
    let page = try page.get()
    let model = try Generated.PostsPage(jsonData: page)
    guard let metrics = model.data.first?.publicMetrics, let post = model.data.first, metrics.likeCount != nil else {
      throw Unexpected()
    }
    let response = Response(
      value: try BenchAPI.UserResponse(jsonData: Responses.user),
      rawResponse: RawResponse(status: .ok, body: Responses.user))
    switch name {
    case "decode": return { for _ in 0..<$0 { _ = try Generated.PostsPage(jsonData: page) } }
    case "encode": return { for _ in 0..<$0 { _ = try model.jsonData() } }
    case "read-int":
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= metrics.likeCount ?? 0 }
        guard sum > 0 else { throw Unexpected() }
      }
    case "read-string":
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= post.text.utf8.count }
        guard sum > 0 else { throw Unexpected() }
      }
    default:
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= response.data.username.utf8.count }
        guard sum > 0 else { throw Unexpected() }
      }
    }
  }

  private static func jsonValue() throws -> Work {
    let page = try page.get()
    return { for _ in 0..<$0 { _ = try JSONValue(jsonData: page) } }
  }

  private static func foundation(_ name: String) throws -> Work {
    let page = try page.get()
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let theirs = try decoder.decode(Synthesized.PostsPage.self, from: page)
    let ours = try Generated.PostsPage(jsonData: page)
    guard ours.data.count == theirs.data.count, ours.data.map(\.text) == theirs.data.map(\.text),
      ours.data.map(\.createdAt) == theirs.data.map(\.createdAt)
    else { throw Unexpected() }
    if name == "json-decoder" {
      return { for _ in 0..<$0 { _ = try decoder.decode(Synthesized.PostsPage.self, from: page) } }
    }
    return { for _ in 0..<$0 { _ = try encoder.encode(theirs) } }
  }
}
