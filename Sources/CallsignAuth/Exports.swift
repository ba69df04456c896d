// Logging in needs a place for the token and keys: `import CallsignAuth` is enough for that.
@_exported import CallsignCryptography
@_exported import CallsignTokenStores
