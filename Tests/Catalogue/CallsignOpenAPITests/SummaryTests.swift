import CallsignOpenAPI
import Testing

@Suite("A summary is the whole first sentence") struct SummaryTests {
  private func summary(of text: String) throws -> String? {
    let quoted =
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    let imported = try Imported(
      document(responding: "{type: object, properties: {a: {type: string, description: \(quoted)}}}"),
      options: ImportOptions(copiesSummaries: true))
    guard case .object(let fields, _)? = imported.catalogue.groups.flatMap(\.models).first?.shape else { return nil }
    return fields.first?.summary
  }

  @Test(
    "across line breaks, with abbreviations, and up to the end of the paragraph",
    arguments: [
      ("The tags for this item. These tags are shown in\nthe web application.", "The tags for this item."),
      (
        "The id of the file that\nis to be locked\nby this call. More.",
        "The id of the file that is to be locked by this call."
      ),
      ("A limit, e.g. 5. Another", "A limit, e.g. 5."),
      ("Uses v1.2 of the format (see RFC 9110.) And more.", "Uses v1.2 of the format (see RFC 9110.)"),
      ("No full stop\n\nNext paragraph.", "No full stop"),
      ("# Title\n\nText.", "Title"),
      ("One of:\n- a\n- b", "One of:"),
      ("\n\n  Leading lines. Rest", "Leading lines."),
      ("Is it `a. B`? Yes.", "Is it `a. B`?"),
      ("これは文です。次の文。", "これは文です。"),
      ("The approx. Size of it. Next.", "The approx. Size of it."),
      ("By J. Smith vs. the rest. Next.", "By J. Smith vs. the rest."),
    ])
  func sentences(text: String, expected: String) throws { #expect(try summary(of: text) == expected) }
}
