// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct HorizontalAlignment: Equatable, Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Equatable, Sendable {
  public static let top = VerticalAlignment()
  public static let center = VerticalAlignment()
}

public struct VStack<Content: View>: PrimitiveView {
  public nonisolated init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}

public struct HStack<Content: View>: PrimitiveView {
  public nonisolated init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}

public struct Spacer: PrimitiveView { public nonisolated init() {} }

public struct NavigationStack<Content: View>: PrimitiveView {
  public nonisolated init(@ViewBuilder root: () -> Content) {}
}

public struct TabView<Selection: Hashable, Content: View>: PrimitiveView {
  public nonisolated init(selection: Binding<Selection>?, @ViewBuilder content: () -> Content) {}
}

public struct List<Selection, Content: View>: PrimitiveView {}

extension List where Selection == Never {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public nonisolated init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content>: PrimitiveView {}

extension ForEach where Content: View {
  public nonisolated init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

@MainActor @preconcurrency public protocol ListStyle {}
public struct PlainListStyle: ListStyle {}

extension ListStyle where Self == PlainListStyle {
  public static var plain: Self { PlainListStyle() }
}

@MainActor @preconcurrency public protocol ToolbarContent {}

public struct ToolbarItemPlacement: Sendable {
  public static let primaryAction = ToolbarItemPlacement()
  public static let cancellationAction = ToolbarItemPlacement()
  public static let status = ToolbarItemPlacement()
}

public struct ToolbarItem<Content: View>: ToolbarContent {
  public nonisolated init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) {}
}

@resultBuilder public struct ToolbarContentBuilder {
  public static func buildBlock<each Content: ToolbarContent>(_ content: repeat each Content) -> ToolbarItems {
    ToolbarItems()
  }
}

public struct ToolbarItems: ToolbarContent { nonisolated init() {} }
