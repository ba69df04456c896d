// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Of Foundation itself on Apple's systems: each file that is checked imports this module without saying so.

@_exported import Foundation
import FoundationNetworking
import Glibc
import Security

public let F_FULLFSYNC: Int32 = 51

@discardableResult
public func memset_s(_ start: UnsafeMutableRawPointer, _ size: Int, _ value: Int32, _ count: Int) -> Int32 { 0 }

extension stat {
  public var st_mtimespec: timespec { st_mtim }
}

public typealias CFWriteStream = OutputStream

public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream, _ queue: DispatchQueue?) {}

extension Stream {
  public class func getBoundStreams(
    withBufferSize bufferSize: Int, inputStream: inout InputStream?, outputStream: inout OutputStream?
  ) {}
}

public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
  public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
  public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}

extension URLSessionConfiguration {
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { .TLSv12 }
    set {}
  }
}
