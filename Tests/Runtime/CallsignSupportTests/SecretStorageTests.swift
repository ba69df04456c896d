import Foundation
import Testing

@testable import CallsignSupport

@Suite struct SecretStorageTests {
  @Test("A secret's memory is overwritten") func memoryIsOverwritten() {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: (1...64).map(UInt8.init))
    SecretStorage.erase(bytes)
    #expect(bytes.allSatisfy { $0 == 0 })
    SecretStorage.erase(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  @Test("It goes with the last copy") func itGoesWithTheLastCopy() {
    weak var storage: SecretStorage?
    do {
      let first = SecretStorage("a-s3cr3t")
      storage = first
      let second = first
      #expect(second.withBytes { $0.elementsEqual("a-s3cr3t".utf8) })
    }
    #expect(storage == nil)
  }
}
