// The public names of CallsignSupport. The whole module is not exported, because it would also export Foundation.
@_exported import protocol CallsignSupport.CallsignError
@_exported import struct CallsignSupport.ProgressTask
@_exported import protocol CallsignSupport.RedactedStringConvertible
@_exported import struct CallsignSupport.Secret
@_exported import protocol CallsignSupport.SecretConvertible
@_exported import struct CallsignSupport.SystemTime
@_exported import protocol CallsignSupport.TimeSource
