// `import CallsignXv1` is enough for a program that calls X and logs in.
@_exported import XCore
