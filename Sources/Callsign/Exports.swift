// Pages, streams, uploads and the cache stand on calls: `import Callsign` is enough for all of them. A program that makes calls
// alone imports CallsignCore, and links nothing of the rest.
@_exported import CallsignCore
@_exported import CallsignModels
