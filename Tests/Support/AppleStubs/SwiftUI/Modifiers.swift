// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle, PrimitiveView, Hashable {
  public static let red = Color()
  public static let gray = Color()
  public static let secondary = Color()
}

public struct HierarchicalShapeStyle: ShapeStyle {
  public static let secondary = HierarchicalShapeStyle()
}

extension ShapeStyle where Self == Color {
  public static var red: Color { .init() }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { .init() }
}

public protocol Shape: Sendable {}
public struct Circle: Shape { public init() {} }
public struct RoundedRectangle: Shape { public init(cornerRadius: CGFloat) {} }

public enum ContentMode: Sendable { case fit, fill }

public struct Edge: Sendable {
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let vertical = Set(rawValue: 1)
    public static let all = Set(rawValue: 3)
  }
}

// Appearance.
extension View {
  public nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    ModifiedContent<Self>()
  }
  public nonisolated func disabled(_ disabled: Bool) -> some View { ModifiedContent<Self>() }
  public nonisolated func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View { ModifiedContent<Self>() }
  public nonisolated func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { ModifiedContent<Self>() }
  public nonisolated func clipShape<Clip: Shape>(_ shape: Clip) -> some View { ModifiedContent<Self>() }
  public nonisolated func lineLimit(_ number: Int?) -> some View { ModifiedContent<Self>() }
  public nonisolated func scaledToFill() -> some View { ModifiedContent<Self>() }
  public nonisolated func scaledToFit() -> some View { ModifiedContent<Self>() }
  public nonisolated func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
    ModifiedContent<Self>()
  }
  public nonisolated func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View {
    ModifiedContent<Self>()
  }
  public nonisolated func listStyle<Style: ListStyle>(_ style: Style) -> some View { ModifiedContent<Self>() }
  public nonisolated func accessibilityLabel<Content: StringProtocol>(_ label: Content) -> some View {
    ModifiedContent<Self>()
  }
}

// Layout and surroundings.
extension View {
  public nonisolated func navigationTitle<Content: StringProtocol>(_ title: Content) -> some View {
    ModifiedContent<Self>()
  }
  public nonisolated func tabItem<Content: View>(@ViewBuilder _ label: () -> Content) -> some View {
    ModifiedContent<Self>()
  }
  public nonisolated func tag<Value: Hashable>(_ tag: Value) -> some View { ModifiedContent<Self>() }
  public nonisolated func toolbar<Content: ToolbarContent>(
    @ToolbarContentBuilder content: () -> Content
  ) -> some View { ModifiedContent<Self>() }
  public nonisolated func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View { ModifiedContent<Self>() }
  public nonisolated func environment<Value: AnyObject & Observable>(_ object: Value?) -> some View {
    ModifiedContent<Self>()
  }
}

// Behaviour.
extension View {
  @preconcurrency public nonisolated func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { ModifiedContent<Self>() }
  @preconcurrency public nonisolated func refreshable(
    @_inheritActorContext action: @escaping @Sendable () async -> Void
  ) -> some View { ModifiedContent<Self>() }
  @preconcurrency public nonisolated func onOpenURL(perform action: @escaping @MainActor (URL) -> Void) -> some View {
    ModifiedContent<Self>()
  }
  @preconcurrency public nonisolated func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor (Value, Value) -> Void
  ) -> some View { ModifiedContent<Self>() }
}
