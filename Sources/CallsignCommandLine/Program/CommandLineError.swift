/// A mistake in a command line.
package struct CommandLineError: Error, CustomStringConvertible {
  package let description: String
  /// The status that a command ends with by it.
  package let status: ExitStatus

  package init(_ description: String, _ status: ExitStatus = .usage) {
    self.description = description
    self.status = status
  }
}
