// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

@MainActor open class UIApplication: NSObject {
  public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

  open class var shared: UIApplication { UIApplication() }
  open func canOpenURL(_ url: URL) -> Bool { false }
  open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }
}
