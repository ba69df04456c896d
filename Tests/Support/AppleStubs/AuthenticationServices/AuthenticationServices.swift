// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
import UIKit

// On macOS it is a window of AppKit.
public typealias ASPresentationAnchor = UIWindow

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

open class ASWebAuthenticationSession: NSObject {
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void

  open class Callback: NSObject {
    open class func customScheme(_ customScheme: String) -> Callback { Callback() }
    open class func https(host: String, path: String) -> Callback { Callback() }
  }

  public init(url URL: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}
  public init(url URL: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {}

  open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
  open var prefersEphemeralWebBrowserSession = false
  open func start() -> Bool { false }
  open func cancel() {}
}

public struct ASWebAuthenticationSessionError: Error {
  public enum Code: Int, Sendable {
    case canceledLogin = 1
    case presentationContextNotProvided = 2
    case presentationContextInvalid = 3
  }

  public let code: Code
  public var userInfo: [String: Any] { [:] }
}
