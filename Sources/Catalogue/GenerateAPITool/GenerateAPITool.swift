import CallsignCatalogue
import CallsignGenerator
import CallsignSupport

/// The program that the plugins run. For people, `callsign generate` does the same.
@main struct GenerateAPITool {
  static func main() {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      if words.first == "--excerpts" { return try ExcerptSource.write(Array(words.dropFirst())) }
      let arguments = try ToolArguments(words)
      let report = try arguments.job().run()
      for diagnostic in report.diagnostics { printError(diagnostic.description) }
      if report.diagnostics.hasErrors { exit(1) }
    } catch let error as ToolArguments.Problem {
      printError("error: \(error.message)\n\(ToolArguments.usage)")
      exit(2)
    } catch let error as ExcerptError {
      printError("error: \(error)")
      exit(1)
    } catch {
      printError("error: the generated files could not be written: \(error.fileErrorReason)")
      exit(1)
    }
  }

  private static func printError(_ text: String) {
    // A failure to write the message does not change how the program ends.
    try? writeAll(Data((text + "\n").utf8), to: STDERR_FILENO)
  }
}
