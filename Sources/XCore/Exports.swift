// The names of the runtime that a program writes when it calls X: credentials, options, errors, and the types that methods
// return. Both X modules re-export XCore, so `import CallsignX` is enough for such a program.
//
// Each name is listed, in place of a re-export of whole modules, so that transports, signers, readers, writers and what
// generated code needs stay out of the program's completion and clear of its own names. Members and conformances of the
// types listed come along, `.oauth2(…)` and `.bearer("…")` too. Who writes a transport, a middleware or an authenticator
// imports Callsign or CallsignAuth as well.

@_exported import protocol Callsign.APIClient
@_exported import struct Callsign.APIError
@_exported import protocol Callsign.Authenticator
@_exported import struct Callsign.AuthorizationError
@_exported import struct Callsign.BaseURLOverrides
@_exported import struct Callsign.Bearer
@_exported import enum Callsign.CallError
@_exported import struct Callsign.CallOptions
@_exported import class Callsign.Client
@_exported import struct Callsign.ClientConfiguration
@_exported import enum Callsign.ContentKind
@_exported import enum Callsign.ContentProblem
@_exported import struct Callsign.DecodingFailure
@_exported import struct Callsign.Endpoint
@_exported import struct Callsign.EventStream
@_exported import struct Callsign.InvalidCall
@_exported import struct Callsign.NoAuthentication
@_exported import struct Callsign.NoContent
@_exported import struct Callsign.Pages
@_exported import struct Callsign.Polling
@_exported import struct Callsign.ProblemDetails
@_exported import struct Callsign.ProcessingFailure
@_exported import struct Callsign.RateLimit
@_exported import class Callsign.RateLimitLedger
@_exported import enum Callsign.RateLimitPolicy
@_exported import protocol Callsign.RateLimitStore
@_exported import struct Callsign.RateLimits
@_exported import struct Callsign.ReconnectPolicy
@_exported import struct Callsign.Response
@_exported import class Callsign.ResponseCache
@_exported import struct Callsign.RetryBudget
@_exported import struct Callsign.RetryPolicy
@_exported import struct Callsign.StreamDisconnect
@_exported import enum Callsign.StreamDrop
@_exported import enum Callsign.StreamElement
@_exported import enum Callsign.StreamEvent
@_exported import struct Callsign.StreamEvents
@_exported import typealias Callsign.Transfer
@_exported import struct Callsign.TransferProgress
@_exported import struct Callsign.UndecodableRecord
@_exported import struct Callsign.UnexpectedContent
@_exported import typealias Callsign.Upload
@_exported import struct Callsign.UploadError
@_exported import struct Callsign.UploadOptions
@_exported import struct Callsign.UploadProgress
@_exported import struct Callsign.UploadResumption
@_exported import class CallsignAuth.AppOnly
@_exported import struct CallsignAuth.FileTokenStore
@_exported import enum CallsignAuth.LoginError
@_exported import class CallsignAuth.MemoryTokenStore
@_exported import struct CallsignAuth.OAuth1
@_exported import struct CallsignAuth.OAuth1Account
@_exported import struct CallsignAuth.OAuth1App
@_exported import class CallsignAuth.OAuth1Authorization
@_exported import struct CallsignAuth.OAuth1AuthorizationOptions
@_exported import struct CallsignAuth.OAuth1Provider
@_exported import struct CallsignAuth.OAuth1Token
@_exported import class CallsignAuth.OAuth2
@_exported import class CallsignAuth.OAuth2Authorization
@_exported import struct CallsignAuth.OAuth2Provider
@_exported import struct CallsignAuth.OAuth2Scope
@_exported import struct CallsignAuth.StoredToken
@_exported import struct CallsignAuth.TokenKey
@_exported import protocol CallsignAuth.TokenStore
@_exported import struct CallsignAuth.TokenStoreError
@_exported import struct CallsignHTTP.AllowedHosts
@_exported import struct CallsignHTTP.FilePart
@_exported import struct CallsignHTTP.FileProblem
@_exported import struct CallsignHTTP.Secret
@_exported import struct CallsignHTTP.Timeouts
@_exported import struct CallsignHTTP.TransportError
@_exported import struct CallsignHTTP.WatchedTask
@_exported import protocol CallsignJSON.JSONCodable
@_exported import protocol CallsignJSON.JSONDecodable
@_exported import protocol CallsignJSON.JSONEncodable
@_exported import struct CallsignJSON.JSONError
@_exported import enum CallsignJSON.JSONValue
@_exported import enum CallsignJSON.Nullable
