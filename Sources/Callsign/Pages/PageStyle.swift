/// How an endpoint hands out a long result page by page, and the parameter that asks for a page.
public enum PageStyle: Sendable {
  /// Where the parameter goes.
  public enum Place: UInt8, Sendable, Hashable {
    /// In the query.
    case query
    /// In the body, in the endpoint's format.
    case field
  }

  /// An opaque token from the answer goes into the next request; its absence ends the list.
  case token(StaticString, in: Place = .query)
  /// Like a token, but `-1` begins the list and `0` ends it.
  case cursor(StaticString, in: Place = .query)
  /// The next request asks for elements with an id below the smallest one seen; a page without elements ends the list.
  case maxID(StaticString, in: Place = .query)
  /// Pages count from 1; a page without elements, or with fewer than were asked for, ends the list.
  case page(StaticString, in: Place = .query)
}
