// The public names of CallsignSupport. The module is not exported whole, because it brings Foundation along.
@_exported import protocol CallsignSupport.CallsignError
@_exported import struct CallsignSupport.ProgressTask
@_exported import protocol CallsignSupport.RedactedStringConvertible
@_exported import struct CallsignSupport.Secret
@_exported import protocol CallsignSupport.SecretConvertible
@_exported import struct CallsignSupport.SystemTime
@_exported import protocol CallsignSupport.TimeSource
