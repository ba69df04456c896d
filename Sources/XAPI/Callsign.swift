// Whoever calls the API names credentials, options and errors of the runtime; `import XAPI` is enough for that.
@_exported import Callsign
@_exported import XMedia
