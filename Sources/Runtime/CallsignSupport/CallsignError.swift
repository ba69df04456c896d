/// An error of this package: what went wrong, and what to do about it.
///
/// ```swift
/// do { … } catch let error as any CallsignError {
///   print(error, error.advice ?? "")
/// }
/// ```
///
/// Printing or dumping one shows its `description`, in one line without credentials, and none of
/// its parts.
public protocol CallsignError: LocalizedError, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension CallsignError {
  /// Advice on how to continue, in one sentence without secrets; `nil` if only the details can help.
  public var advice: String? { recoverySuggestion }
  /// The same as the description.
  public var errorDescription: String? { description }
  /// The same as the description.
  public var debugDescription: String { description }
  /// A mirror that has only the description.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
