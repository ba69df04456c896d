import Callsign
import CallsignTesting
import CallsignX
import Foundation

@testable import XSandbox

/// Files in the test's own folder.
struct MediaFiles {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func write(_ name: String, _ bytes: Data) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try bytes.write(to: url)
    return url
  }

  /// Bytes that start as an MP4 does; all of its chunks differ.
  static func video(_ count: Int) -> Data {
    var bytes = Data([0, 0, 0, 0x18]) + Data("ftypisom".utf8)
    var number: UInt64 = 88_172_645_463_325_252
    while bytes.count < count {
      number ^= number << 13
      number ^= number >> 7
      number ^= number << 17
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
    return bytes.prefix(count)
  }

  static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data("not really".utf8)

  static let subtitles = Data("1\n00:00:00,000 --> 00:00:02,000\nHello.\n".utf8)

  static func hash(_ bytes: Data) -> String { SHA256Hash.hexadecimalDigest(of: bytes) }
}

/// Collects the values that a progress closure receives.
///
/// `@unchecked Sendable`: `values` is touched only while `lock` is held.
final class ProgressLog: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [UploadProgress] = []

  var all: [UploadProgress] { lock.withLock { values } }

  func append(_ progress: UploadProgress) { lock.withLock { values.append(progress) } }
}
