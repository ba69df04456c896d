// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public protocol HashFunction {
  associatedtype Digest: Sequence where Digest.Element == UInt8
  static func hash<Message: DataProtocol>(data: Message) -> Digest
  init()
  mutating func update<Message: DataProtocol>(data: Message)
  func finalize() -> Digest
}

public struct SHA256: HashFunction {
  public static func hash<Message: DataProtocol>(data: Message) -> [UInt8] { [] }
  public init() {}
  public mutating func update<Message: DataProtocol>(data: Message) {}
  public func finalize() -> [UInt8] { [] }
}

public struct SHA512: HashFunction {
  public static func hash<Message: DataProtocol>(data: Message) -> [UInt8] { [] }
  public init() {}
  public mutating func update<Message: DataProtocol>(data: Message) {}
  public func finalize() -> [UInt8] { [] }
}

public enum Insecure {
  public struct SHA1: HashFunction {
    public static func hash<Message: DataProtocol>(data: Message) -> [UInt8] { [] }
    public init() {}
    public mutating func update<Message: DataProtocol>(data: Message) {}
    public func finalize() -> [UInt8] { [] }
  }

  public struct MD5: HashFunction {
    public static func hash<Message: DataProtocol>(data: Message) -> [UInt8] { [] }
    public init() {}
    public mutating func update<Message: DataProtocol>(data: Message) {}
    public func finalize() -> [UInt8] { [] }
  }
}

public struct SymmetricKey: Sendable {
  public init<Bytes: ContiguousBytes>(data: Bytes) {}
}

public struct HMAC<Hash: HashFunction> {
  public static func authenticationCode<Message: DataProtocol>(for data: Message, using key: SymmetricKey) -> [UInt8] {
    []
  }
}

public enum AES {
  public enum GCM {
    public struct Nonce {
      public init<Bytes: DataProtocol>(data: Bytes) throws {}
    }

    public struct SealedBox {
      public let ciphertext = Data()
      public let tag = Data()
      public init<Ciphertext: DataProtocol, Tag: DataProtocol>(nonce: Nonce, ciphertext: Ciphertext, tag: Tag) throws {}
    }

    public static func seal<Message: DataProtocol, Context: DataProtocol>(
      _ message: Message, using key: SymmetricKey, nonce: Nonce?, authenticating context: Context
    ) throws -> SealedBox { try SealedBox(nonce: Nonce(data: Data()), ciphertext: Data(), tag: Data()) }

    public static func open<Context: DataProtocol>(
      _ box: SealedBox, using key: SymmetricKey, authenticating context: Context
    ) throws -> Data { Data() }
  }
}
