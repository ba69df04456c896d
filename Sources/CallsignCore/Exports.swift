// A program that makes calls names JSON values, files, bodies and transports as well: `import CallsignCore` is enough for that.
@_exported import CallsignHTTP
@_exported import CallsignJSON
