// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import UIKit

public struct Text: PrimitiveView {
  public struct DateStyle: Sendable { public static let relative = DateStyle() }

  public nonisolated init<Content: StringProtocol>(_ content: Content) {}
  public nonisolated init(_ content: AttributedString) {}
  public nonisolated init(_ date: Date, style: DateStyle) {}
  public nonisolated func bold() -> Text { self }
  public nonisolated func font(_ font: Font?) -> Text { self }
  public nonisolated func monospacedDigit() -> Text { self }
  public nonisolated func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> Text { self }
}

public struct Font: Hashable, Sendable {
  public static let largeTitle = Font()
  public static let headline = Font()
}

public struct Label<Title: View, Icon: View>: PrimitiveView {}

extension Label where Title == Text, Icon == Image {
  public nonisolated init<Content: StringProtocol>(_ title: Content, systemImage name: String) {}
}

public struct ButtonRole: Equatable, Sendable {
  public static let destructive = ButtonRole()
  public static let cancel = ButtonRole()
}

public struct Button<Content: View>: PrimitiveView {
  @preconcurrency public nonisolated init(
    action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Content
  ) {}
}

extension Button where Content == Text {
  @preconcurrency public nonisolated init<Title: StringProtocol>(
    _ title: Title, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
  ) {}
}

extension Button where Content == Label<Text, Image> {
  @preconcurrency public nonisolated init<Title: StringProtocol>(
    _ title: Title, systemImage: String, action: @escaping @MainActor () -> Void
  ) {}
}

@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
public struct BorderlessButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  public static var borderedProminent: Self { BorderedProminentButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  public static var borderless: Self { BorderlessButtonStyle() }
}

public struct TextEditor: PrimitiveView {
  public nonisolated init(text: Binding<String>) {}
}

public struct TextField<Content: View>: PrimitiveView {}

extension TextField where Content == Text {
  public nonisolated init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
}

public struct ProgressView<Content: View>: PrimitiveView {}

extension ProgressView where Content == EmptyView {
  public nonisolated init() {}
  public nonisolated init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1.0) {}
}

public struct Image: PrimitiveView {
  public nonisolated init(uiImage: UIImage) {}
  public nonisolated func resizable() -> Image { self }
}

public struct AsyncImage<Content: View>: PrimitiveView {
  public nonisolated init<Shown: View, Placeholder: View>(
    url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> Shown,
    @ViewBuilder placeholder: @escaping () -> Placeholder
  ) where Content == ConditionalContent<Shown, Placeholder> {}
}
