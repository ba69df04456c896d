import Foundation

extension String: JSONShaped { static var jsonKind: JSONKind { .string } }
extension Date: JSONShaped { static var jsonKind: JSONKind { .string } }
extension Data: JSONShaped { static var jsonKind: JSONKind { .string } }
extension Int: JSONShaped { static var jsonKind: JSONKind { .number } }
extension Double: JSONShaped { static var jsonKind: JSONKind { .number } }
extension Bool: JSONShaped { static var jsonKind: JSONKind { .bool } }
extension Array: JSONShaped { static var jsonKind: JSONKind { .array } }
extension Dictionary: JSONShaped { static var jsonKind: JSONKind { .object } }
