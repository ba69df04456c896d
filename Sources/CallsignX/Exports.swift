// XCore lists the names of the runtime that a program writes; nothing else is re-exported.
@_exported import XCore
