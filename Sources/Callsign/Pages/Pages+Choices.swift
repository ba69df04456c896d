import CallsignJSON

extension Pages {
  /// The same pages from the last one to the first, where the API names the page before each. Begin with
  /// ``resume(from:)``; without it, most APIs have nothing before their first page.
  public func backwards() -> Pages {
    var pages = self
    pages.isBackwards.toggle()
    return pages
  }

  /// The same pages, beginning at a token that ``token(after:)`` gave, perhaps days ago.
  ///
  /// - Parameter token: A token, cursor, id or page number. `nil` begins at the beginning.
  public func resume(from token: String?) -> Pages {
    var pages = self
    pages.start = token
    return pages
  }

  /// The same pages, but no more than are needed for a number of elements. ``items`` yields exactly that many, if there
  /// are; the last page comes whole.
  public func limit(_ items: Int) -> Pages {
    var pages = self
    pages.itemLimit = items
    return pages
  }

  /// What ``resume(from:)`` takes to go on after a page; `nil` when it is the last.
  public func token(after page: Response<Page>) -> String? {
    position(after: page.value, items: readItems(page.value), from: nil)
  }
}

extension PageStyle {
  /// What asks for the first page, where something must.
  var first: String? {
    switch self {
    case .token, .maxID: nil
    case .cursor: "-1"
    case .page: "1"
    }
  }
}

extension Pages {
  /// The call for one page.
  func call(at position: String?) throws(CallError) -> Call {
    if isBackwards, readPrevious == nil {
      let reason = InvalidCall.Reason.value("this endpoint names no page before another; read it forwards")
      throw .invalidCall(InvalidCall(endpoint: call.endpoint.name.description, reason: reason))
    }
    guard let position else { return call }
    var call = call
    switch style {
    case .token(let name, let place), .cursor(let name, let place), .maxID(let name, let place):
      call.setPage(name, position, place)
    case .page(let name, let place):
      // Where the page is a member of a JSON body, it is a number there.
      if let number = Int(position) {
        call.setPage(name, number, place)
      } else {
        call.setPage(name, position, place)
      }
    }
    return call
  }

  /// What asks for the page after one; `nil` when it is the last.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - items: Its elements.
  ///   - position: What asked for it.
  func position(after page: Page, items: [Item], from position: String?) -> String? {
    switch style {
    case .token, .cursor:
      let token = isBackwards ? readPrevious?(page) : readNext(page)
      guard let token, !token.isEmpty else { return nil }
      if case .cursor = style, token == "0" { return nil }
      return token
    case .maxID:
      // One below the smallest id, so that the element at the border does not come twice.
      guard let readID, let smallest = items.compactMap({ readID($0).flatMap { UInt64($0) } }).min(), smallest > 0
      else { return nil }
      return String(smallest - 1)
    case .page:
      if items.isEmpty { return nil }
      if let size, items.count < size { return nil }
      return String((position.flatMap { Int($0) } ?? 1) + 1)
    }
  }
}

extension Call {
  fileprivate mutating func setPage(
    _ name: StaticString, _ value: some ParameterValue & JSONEncodable, _ place: PageStyle.Place
  ) {
    switch (place, endpoint.body) {
    case (.query, _), (.field, .none): query(name, value)
    case (.field, .json): json(name, value)
    case (.field, .form): form(name, value)
    case (.field, .multipart): part(name, value)
    }
  }
}
