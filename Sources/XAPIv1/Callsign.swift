// Whoever calls the API names credentials, options and errors of the runtime; `import XAPIv1` is enough for that.
@_exported import Callsign
@_exported import XMedia
