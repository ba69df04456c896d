#if canImport(SwiftUI)
  import CallsignX
  import SwiftUI
  import TimelineModels

  /// The whole app: put it into your own `App`.
  public struct TimelineScene: Scene {
    @State private var session: Session

    /// Creates the app for a client at X.
    ///
    /// - Parameters:
    ///   - clientID: The app's client id, from the developer portal.
    ///   - redirectURI: As registered there, and among the app's URL types.
    public init(clientID: String, redirectURI: String) {
      _session = State(
        initialValue: Session(account: OAuth2(clientID: clientID, store: .default), redirectURI: redirectURI))
    }

    /// A window with the login or the timelines.
    public var body: some Scene {
      WindowGroup {
        RootView()
          .environment(session)
          .task { await session.restore() }
          // X's app, or the browser, returns to this app.
          .onOpenURL { url in Task { await session.open(url) } }
      }
    }
  }

  /// The login, or the timelines.
  struct RootView: View {
    @Environment(Session.self) private var session

    var body: some View {
      switch session.phase {
      case .starting: ProgressView()
      case .signedOut: LoginView()
      case .signedIn(let user): HomeView(user: user, session: session)
      }
    }
  }

  /// Offers X's app if it is installed, and X's page.
  struct LoginView: View {
    @Environment(Session.self) private var session

    var body: some View {
      VStack(spacing: 16) {
        Text("Timeline").font(.largeTitle)
        Button("Log in with X") { Task { await session.logIn() } }
          .buttonStyle(.borderedProminent)
        #if canImport(UIKit)
          Button("Log in with X's app") { Task { await session.logInWithApp() } }
        #endif
        if session.isBusy { ProgressView() }
        if let problem = session.problem { Text(problem).foregroundStyle(.red) }
      }
      .disabled(session.isBusy)
      .padding()
    }
  }

  extension Session {
    /// Shows X's page over the window, and waits for the person.
    func logIn() async {
      await attempt {
        try await account.logIn(scopes: Self.scopes, redirectURI: redirectURI, configuration: configuration)
        try await enter()
      }
    }

    #if canImport(UIKit)
      /// Opens X's app, or the browser if it is not installed. `twitter` has to be among `LSApplicationQueriesSchemes`. The
      /// redirect arrives in `onOpenURL`.
      func logInWithApp() async {
        await attempt {
          let login = try account.beginLogin(
            inAppFor: Self.scopes, redirectURI: redirectURI, configuration: configuration)
          try await keep(login)
          try await login.openInApp()
        }
      }
    #endif
  }
#endif
