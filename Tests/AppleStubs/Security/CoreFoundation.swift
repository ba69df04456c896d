import Foundation

public typealias CFString = String
public typealias CFData = Data
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = Any
public typealias OSStatus = Int32
public typealias CFError = AnyObject
