import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// An element of a page, with its JSON as it arrived.
public struct PageItem<Value: Sendable>: Sendable {
  /// The element.
  public let value: Value
  /// Its JSON, byte for byte; `nil` if it cannot be separated from its neighbours.
  public let bytes: Data?
}

extension Pages {
  /// The elements of all pages one by one, each with its JSON as it arrived: for members that the catalogue does not
  /// have yet, and for programs that store the original JSON.
  public var rawItems: RawItems { RawItems(pages: Reference(self)) }

  /// The elements of all pages with their JSON.
  public struct RawItems: AsyncSequence, Sendable {
    /// An element of a page with its JSON.
    public typealias Element = PageItem<Item>
    /// The error that ends the elements early.
    public typealias Failure = CallError

    let pages: Reference<Pages>

    /// Begins with the first page's first element.
    public func makeAsyncIterator() -> Iterator { Iterator(pages) }

    /// Reads one element after the other, and a page whenever the last one is used up.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      private let pages: Reference<Pages>
      private var iterator: Pages.Iterator
      private var rest: ArraySlice<PageItem<Item>> = []
      private var left: Int

      init(_ pages: Reference<Pages>) {
        self.pages = pages
        iterator = Pages.Iterator(pages)
        left = pages.value.itemLimit ?? .max
      }

      /// The next element; `nil` after the last page's last.
      ///
      /// - Throws: ``CallError``, which ends the iteration.
      public mutating func next() async throws(CallError) -> PageItem<Item>? { try await nextItem() }

      /// The next element; `nil` after the last page's last.
      ///
      /// - Throws: ``CallError``, which ends the iteration.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> PageItem<Item>? {
        try await nextItem()
      }

      private mutating func nextItem() async throws(CallError) -> PageItem<Item>? {
        guard left > 0 else { return nil }
        while rest.isEmpty {
          guard let page = try await iterator.next() else { return nil }
          rest = iterator.new(pages.value.itemsWithBytes(of: page))
        }
        left -= 1
        return rest.popFirst()
      }
    }
  }

  private func itemsWithBytes(of page: Response<Page>) -> [PageItem<Item>] {
    let items = readItems(page.value)
    let omitted = leftOut(of: page)
    let texts = JSONElements.all(in: page.rawResponse.body, at: itemPath).enumerated()
      .compactMap { omitted.contains($0) ? nil : $1 }
    let isSure = texts.count == items.count
    return items.enumerated().map { PageItem(value: $1, bytes: isSure ? texts[$0] : nil) }
  }

  /// The indices of the elements that were left out of a page because they could not be read.
  func leftOut(of page: Response<Page>) -> [Int] {
    guard !page.issues.isEmpty else { return [] }
    let beginning = itemPath + "["
    return page.issues.compactMap { issue in
      guard issue.outcome == .leftOut, issue.omittedPath.hasPrefix(beginning) else { return nil }
      let index = issue.omittedPath.dropFirst(beginning.count)
      return index.hasSuffix("]") ? Int(index.dropLast()) : nil
    }
  }
}

/// The elements of a list within a JSON text, as they are written.
enum JSONElements {
  /// The elements at a dotted path; none if the text has no list there.
  static func all(in document: Data, at path: String) -> [Data] {
    var found: [Range<Int>] = []
    do throws(JSONError) {
      try JSONReader.read(document) { (reader) throws(JSONError) in
        try reader.beginDocument()
        try find(path.pathNames[...], &reader, &found)
      }
    } catch { return [] }
    return found.map { Data(document[(document.startIndex + $0.lowerBound)..<(document.startIndex + $0.upperBound)]) }
  }

  private static func find(
    _ path: ArraySlice<String>, _ reader: inout JSONReader, _ found: inout [Range<Int>]
  ) throws(JSONError) {
    let kind = try reader.kind()
    guard let name = path.first else {
      guard kind == .array else { return try reader.skip() }
      found = []
      return try reader.array { (_, reader) throws(JSONError) in
        let start = reader.offset
        try reader.skip()
        found.append(start..<reader.offset)
      }
    }
    guard kind == .object else { return try reader.skip() }
    try reader.object { (member, reader) throws(JSONError) in
      if member == name { try find(path.dropFirst(), &reader, &found) }
    }
  }
}
