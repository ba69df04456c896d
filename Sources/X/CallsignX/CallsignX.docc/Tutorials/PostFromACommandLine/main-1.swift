import CallsignLoopback

let account = OAuth2(clientID: "…", store: .file())
