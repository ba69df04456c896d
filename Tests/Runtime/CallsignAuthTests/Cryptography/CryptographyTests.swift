import Callsign
import Foundation
import Testing

@testable import CallsignAuth

#if !canImport(CryptoKit)
  import CCrypto

  @Suite struct CryptographyTests {
    @Test("A parameter's memory stays valid while libcrypto may read it, whatever else uses the stack")
    func parameterLifetime() {
      for digest in ["SHA1", "SHA256"] {
        let read = MessageAuthenticationKey.withDigestParameter(digest) { parameters in
          overwriteStack(depth: 32)
          return parameters.prefix(1).map { parameter in
            let value = parameter.data?.assumingMemoryBound(to: CChar.self)
            return [parameter.key.map { String(cString: $0) }, value.map { String(cString: $0) }]
          }
        }
        #expect(read == [["digest", digest]])
      }
    }

    @Test("Errors contain libcrypto's message, and leave its queue empty")
    func wordsOfLibcrypto() {
      ERR_clear_error()
      #expect(CryptographyError.libcrypto("cannot hash").description == "cannot hash: it gives no reason")
      #expect(EVP_MD_fetch(nil, "no such hash", nil) == nil)
      let text = CryptographyError.libcrypto("cannot hash").description
      #expect(text.hasPrefix("cannot hash: error:") && text.contains("unsupported"))
      #expect(ERR_peek_error() == 0)
    }

    @Test("An unreadable key is refused again and again without leaving anything behind")
    func unreadableKey() {
      for pem in ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
        #expect(throws: CryptographyError.self) { try RSAPrivateKey(pem: Secret(pem)) }
      }
      #expect(ERR_peek_error() == 0)
    }
  }

  /// Writes over the stack below the caller, where temporary values of earlier calls were.
  @inline(never)
  private func overwriteStack(depth: Int) {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { room in
      for index in room.indices { room[index] = 0xA5 }
      if depth > 0 { overwriteStack(depth: depth - 1) }
    }
  }
#endif
