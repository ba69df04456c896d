import CallsignLoopback
import CallsignX

let account = OAuth2(clientID: "…", store: .file())
