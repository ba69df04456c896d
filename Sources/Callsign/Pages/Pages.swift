import CallsignJSON
import Foundation

/// A long result, page by page: an asynchronous sequence of responses. ``items`` are their elements, one by one.
///
/// Each iteration begins at the first page, or where ``resume(from:)`` says. Nothing is sent before the first page is
/// asked for, and no page before it is needed.
public struct Pages<Page: JSONDecodable & Sendable, Item: Sendable>: Sendable {
  let client: Client
  let call: Call
  let style: PageStyle
  let readItems: @Sendable (Page) -> [Item]
  let readNext: @Sendable (Page) -> String?
  let readPrevious: (@Sendable (Page) -> String?)?
  let readID: (@Sendable (Item) -> String?)?
  let size: Int?
  var start: String?
  var isBackwards = false
  var itemLimit: Int?

  /// Describes pages of the styles ``PageStyle/token(_:in:)`` and ``PageStyle/cursor(_:in:)``. Generated code does.
  ///
  /// - Parameters:
  ///   - client: What sends the calls.
  ///   - call: The call, without the parameter that asks for a page.
  ///   - style: How the endpoint pages.
  ///   - next: Where a page has the token of the page after it.
  ///   - previous: Where it has the token of the page before it.
  ///   - items: Where it has its elements.
  public init<Token: ParameterValue & Sendable>(
    _ client: Client, _ call: Call, _ style: PageStyle,
    next: @escaping @Sendable (Page) -> Token?,
    previous: (@Sendable (Page) -> Token?)? = nil,
    items: @escaping @Sendable (Page) -> [Item]
  ) {
    self.client = client
    self.call = call
    self.style = style
    readItems = items
    readNext = { next($0)?.parameterText }
    if let previous {
      readPrevious = { previous($0)?.parameterText }
    } else {
      readPrevious = nil
    }
    readID = nil
    size = nil
  }

  /// Describes pages of the style ``PageStyle/maxID(_:in:)``. Generated code does.
  ///
  /// - Parameters:
  ///   - client: What sends the calls.
  ///   - call: The call, without the parameter that asks for a page.
  ///   - style: How the endpoint pages.
  ///   - items: Where a page has its elements.
  ///   - id: Where an element has its id, a decimal number; one without is passed over.
  public init<ID: ParameterValue & Sendable>(
    _ client: Client, _ call: Call, _ style: PageStyle,
    items: @escaping @Sendable (Page) -> [Item],
    id: @escaping @Sendable (Item) -> ID?
  ) {
    self.client = client
    self.call = call
    self.style = style
    readItems = items
    readNext = { _ in nil }
    readPrevious = nil
    readID = { id($0)?.parameterText }
    size = nil
  }

  /// Describes pages of the style ``PageStyle/page(_:in:)``. Generated code does.
  ///
  /// - Parameters:
  ///   - client: What sends the calls.
  ///   - call: The call, without the parameter that asks for a page.
  ///   - style: How the endpoint pages.
  ///   - size: How many elements a whole page has, where the caller asked for a number.
  ///   - items: Where a page has its elements.
  public init(
    _ client: Client, _ call: Call, _ style: PageStyle,
    size: Int? = nil,
    items: @escaping @Sendable (Page) -> [Item]
  ) {
    self.client = client
    self.call = call
    self.style = style
    readItems = items
    readNext = { _ in nil }
    readPrevious = nil
    readID = nil
    self.size = size
  }
}
