// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

@MainActor open class UIApplication: NSObject {
  public struct OpenExternalURLOptionsKey: Hashable, Sendable {
    public static let universalLinksOnly = OpenExternalURLOptionsKey()
  }

  open class var shared: UIApplication { UIApplication() }
  // Key-value coding, which only Apple's Foundation has.
  open class func value(forKey key: String) -> Any? { nil }
  open var connectedScenes: Set<UIScene> { [] }
  open func canOpenURL(_ url: URL) -> Bool { false }
  open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }
}

@MainActor open class UIScene: NSObject {
  public enum ActivationState: Sendable { case foregroundActive }

  open var activationState: ActivationState { .foregroundActive }
}

@MainActor open class UIWindowScene: UIScene {
  open var windows: [UIWindow] { [] }
}

@MainActor open class UIWindow: NSObject {
  open var isKeyWindow: Bool { false }
}

open class UIImage: NSObject, @unchecked Sendable {
  public init?(data: Data) {}
}
