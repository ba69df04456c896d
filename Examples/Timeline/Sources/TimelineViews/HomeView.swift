#if canImport(SwiftUI)
  import CallsignX
  import SwiftUI
  import TimelineModels

  #if canImport(UIKit)
    import UIKit
  #endif

  /// The timelines as tabs, with a button to write.
  struct HomeView: View {
    @Environment(Session.self) private var session
    @State private var timelines: [TimelineModel]
    @State private var selected = TimelineModel.Kind.home
    @State private var draft: ComposeModel
    @State private var isComposing = false

    init(user: XAPI.User, session: Session) {
      _timelines = State(
        initialValue: TimelineModel.Kind.allCases.map {
          TimelineModel($0, of: user, x: session.x, avatars: session.avatars)
        })
      _draft = State(initialValue: ComposeModel(x: session.x))
    }

    var body: some View {
      NavigationStack {
        TabView(selection: $selected) {
          ForEach(timelines, id: \.kind) { timeline in
            TimelineView(timeline: timeline)
              .tabItem { Label(timeline.kind.title, systemImage: timeline.kind.symbol) }
              .tag(timeline.kind)
          }
        }
        .navigationTitle(selected.title)
        .toolbar {
          ToolbarItem(placement: .cancellationAction) {
            Button("Log out") { Task { await session.logOut() } }
          }
          ToolbarItem(placement: .primaryAction) {
            Button("Post", systemImage: "square.and.pencil") { isComposing = true }
          }
        }
        .sheet(isPresented: $isComposing) {
          ComposeView(draft: draft) { id in
            isComposing = false
            for timeline in timelines where timeline.kind != .mentions { Task { await timeline.add(id) } }
          }
        }
      }
    }
  }

  extension TimelineModel.Kind {
    fileprivate var symbol: String {
      switch self {
      case .home: "house"
      case .mentions: "at"
      case .posts: "person"
      }
    }
  }

  /// A list that is pulled to refresh, and grows at its end.
  struct TimelineView: View {
    let timeline: TimelineModel

    var body: some View {
      List {
        if let problem = timeline.problem { Text(problem).foregroundStyle(.red) }
        ForEach(timeline.rows) { row in
          PostView(row: row, timeline: timeline) { Task { await timeline.toggleLike(row) } }
            .task { await timeline.loadMore(after: row) }
        }
        if timeline.isLoading { ProgressView() }
      }
      .listStyle(.plain)
      .refreshable { await timeline.refresh() }
      .task { if timeline.rows.isEmpty { await timeline.refresh() } }
    }
  }

  /// A post: who, when, text, pictures, and the like.
  struct PostView: View {
    let row: PostRow
    let timeline: TimelineModel
    let like: @MainActor () -> Void

    var body: some View {
      HStack(alignment: .top, spacing: 12) {
        AvatarView(row: row, timeline: timeline)
        VStack(alignment: .leading, spacing: 6) {
          HStack {
            Text(row.authorName).bold()
            Text("@\(row.username)").foregroundStyle(.secondary)
            Spacer()
            if let date = row.date { Text(date, style: .relative).foregroundStyle(.secondary) }
          }
          .lineLimit(1)
          Text(row.text)
          ForEach(row.pictures) { picture in
            AsyncImage(url: picture.url) { image in
              image.resizable().scaledToFit()
            } placeholder: {
              Color.gray.aspectRatio(picture.aspectRatio, contentMode: .fit)
            }
            .clipShape(RoundedRectangle(cornerRadius: 12))
            .accessibilityLabel(picture.altText ?? "Picture")
          }
          Button(action: like) {
            Label("\(row.likeCount)", systemImage: row.isLiked ? "heart.fill" : "heart")
          }
          .buttonStyle(.borderless)
          .foregroundStyle(row.isLiked ? Color.red : Color.secondary)
          .accessibilityLabel(row.isLiked ? "Unlike" : "Like")
        }
      }
      .padding(.vertical, 4)
    }
  }

  /// The picture of a post's author.
  struct AvatarView: View {
    let row: PostRow
    let timeline: TimelineModel
    @State private var picture: Data?

    var body: some View {
      VStack {
        if let image = (picture ?? timeline.keptAvatar(of: row)).flatMap(Image.init(picture:)) {
          image.resizable().scaledToFill()
        } else {
          Color.gray
        }
      }
      .frame(width: 44, height: 44)
      .clipShape(Circle())
      .task { picture = await timeline.avatar(of: row) }
    }
  }

  extension Image {
    /// A picture of any format that the system reads.
    init?(picture: Data) {
      #if canImport(UIKit)
        guard let image = UIImage(data: picture) else { return nil }
        self.init(uiImage: image)
      #else
        guard let image = NSImage(data: picture) else { return nil }
        self.init(nsImage: image)
      #endif
    }
  }
#endif
