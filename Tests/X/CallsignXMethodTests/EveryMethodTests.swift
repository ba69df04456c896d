import CallsignX
import Testing

@Suite("Every method of XAPI") struct EveryMethodTests {
  @Test("Each endpoint has a test that was made from the catalogue")
  func coverage() {
    let tested = testedEndpoints.split(separator: "\n").map(String.init)
    #expect(tested.count == 178)
    #expect(tested == XAPI.endpoints.map(\.name.description).sorted())
  }
}
