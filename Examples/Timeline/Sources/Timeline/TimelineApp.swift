#if canImport(SwiftUI)
  import SwiftUI
  import TimelineViews

  @main struct TimelineApp: App {
    // Replace these with the client ID of your app at X and your own URL scheme.
    var body: some Scene { TimelineScene(clientID: "your client id", redirectURI: "timeline-example://login") }
  }
#else
  @main struct TimelineApp {
    static func main() { print("This system has no SwiftUI; `swift test` runs the app without its pixels.") }
  }
#endif
