// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public typealias CFString = String
public typealias CFData = Data
public typealias CFDictionary = [String: Any]
public typealias CFArray = [Any]
public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFError = AnyObject
public typealias OSStatus = Int32

public func CFGetTypeID(_ object: CFTypeRef) -> CFTypeID { 0 }
