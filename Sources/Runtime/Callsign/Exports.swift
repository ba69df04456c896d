// `import Callsign` is enough for calls, values and transports.
@_exported import CallsignHTTP
@_exported import CallsignJSON
