import CallsignXv1
import Testing

@Suite("Every method of XAPIv1") struct EveryMethodTests {
  @Test("Each endpoint has a test that was made from the catalogue")
  func coverage() {
    let tested = testedEndpoints.split(separator: "\n").map(String.init)
    #expect(tested.count == 192)
    #expect(tested == XAPIv1.endpoints.map(\.name.description).sorted())
  }
}
