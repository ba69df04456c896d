import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("Compressed responses")
struct CompressionTests {
  @Test("A client gets the coding that it prefers")
  func preference() {
    #expect(ContentCoding.preferred(by: "deflate, gzip;q=0.5") == .gzip)
    #expect(ContentCoding.preferred(by: "gzip;q=0, Deflate") == .deflate)
    for header in [nil, "", "br", "identity", "gzip;q=0"] { #expect(ContentCoding.preferred(by: header) == nil) }
  }

  @Test("Only clients that accept compression get it")
  func client() async throws {
    var configuration = generousConfiguration()
    configuration.compressesResponses = true
    try await withSandbox(configuration) { (sandbox) async throws in
      for number in 0..<30 {
        try await sandbox.addPost("A text that repeats itself \(number)", by: sandbox.users.alice)
      }
      let client = TestClient.alice(sandbox)
      let target = "/2/users/\(sandbox.users.alice.id)/tweets?max_results=30"
      let request =
        "GET \(target) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(sandbox.users.alice.oauth2AccessToken)\r\n"
      #expect(try await client.get(target).elements.count == 30)
      let plain = try await RawConnection.exchange(request + "\r\n", with: sandbox)
      #expect(!plain.contains("Content-Encoding"))
      let packed = try await RawConnection.exchange(
        Array((request + "Accept-Encoding: gzip\r\n\r\n").utf8), with: sandbox)
      #expect(String(decoding: packed, as: UTF8.self).contains("Content-Encoding: gzip"))
      #expect(packed.count < plain.utf8.count / 2)
    }
  }

  @Test("Python's zlib unpacks all of it", .needs(.python))
  func independent() async throws {
    var generator = SplitMix64(seed: 3)
    var samples: [[UInt8]] = [[], [0], Array("abcabcabcabcabcabc".utf8), [UInt8](repeating: 7, count: 70_000)]
    for _ in 0..<40 {
      let size = Int.random(in: 1...5000, using: &generator)
      let range = UInt8.random(in: 1...255, using: &generator)
      samples.append((0..<size).map { _ in UInt8.random(in: 0...range, using: &generator) })
    }
    let input = JSON.array(
      samples.map { sample in
        .array(
          [Data(sample)].flatMap { [$0, ContentCoding.gzip.encode($0), ContentCoding.deflate.encode($0)] }
            .map { .string($0?.base64EncodedString() ?? "") })
      }
    ).bytes
    let output = try await onThread {
      try Python.run(
        """
        import base64, gzip, json, sys, zlib
        samples = [[base64.b64decode(part) for part in sample] for sample in json.load(sys.stdin)]
        print(sum(gzip.decompress(packed) == plain and zlib.decompress(wrapped) == plain for plain, packed, wrapped in samples))
        """, input: input)
    }
    #expect(String(decoding: output, as: UTF8.self) == "\(samples.count)\n")
  }
}
