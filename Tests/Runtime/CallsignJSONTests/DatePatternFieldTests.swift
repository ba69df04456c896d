import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

@Suite("Fields that are dates by a pattern")
struct DatePatternFieldTests {
  struct Visit: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout("\nid:int\nat:date(EEE MMM dd HH:mm:ss Z yyyy)\nopens:date(HH:mm)?\na:b:string?")
    }
    var at: Date { _storage[date: 1] }
  }

  @Test("the colons of the pattern, and of the name, separate nothing")
  func colons() throws {
    let text = #"{"id":1,"at":"Wed Aug 27 13:08:45 +0000 2008","a:b":"x"}"#
    let visit = try Visit(jsonData: Data(text.utf8))
    #expect(visit.at == Date(timeIntervalSince1970: 1_219_842_525))
    #expect(try visit.jsonString() == text)
  }
}
