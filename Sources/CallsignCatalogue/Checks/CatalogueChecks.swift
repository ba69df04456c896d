/// What is wrong with a catalogue as a whole.
struct CatalogueChecks {
  let draft: CatalogueDraft
  var diagnostics: [Diagnostic] = []

  init(_ draft: CatalogueDraft) { self.draft = draft }

  mutating func run() {}
}
