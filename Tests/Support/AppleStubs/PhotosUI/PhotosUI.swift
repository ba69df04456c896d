// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import SwiftUI

public protocol Transferable: Sendable {}

extension Data: Transferable {}

public struct PHPickerFilter: Equatable, Hashable, Sendable {
  public static let images = PHPickerFilter()
}

public struct PhotosPickerItem: Equatable, Hashable, Sendable {
  public func loadTransferable<Content: Transferable>(type: Content.Type) async throws -> Content? { nil }
}

public struct PhotosPicker<Content: View>: PrimitiveView {
  public nonisolated init(
    selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil, @ViewBuilder label: () -> Content
  ) {}
}
