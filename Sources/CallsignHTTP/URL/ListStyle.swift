/// How a list is written where the place has no lists of its own: in a query, form, header or path.
public enum ListStyle: UInt8, Sendable, Hashable {
  /// `name=a,b,c`, with the commas encoded where the place demands it.
  case comma
  /// `name=a b c`, encoded likewise.
  case space
  /// `name=a&name=b`
  case `repeat`
  /// `name[]=a&name[]=b`
  case brackets
}
