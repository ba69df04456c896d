import Callsign
import CallsignAuth
import FlickrKit
import Foundation

// Logs in once, then lists the account's photos or uploads one. The token is in a file that only its owner can read.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
  exit(1)
}

let environment = ProcessInfo.processInfo.environment
guard let key = environment["FLICKR_KEY"], let secret = environment["FLICKR_SECRET"] else {
  fail("set FLICKR_KEY and FLICKR_SECRET, from https://www.flickr.com/services/apps/create")
}
let app = OAuth1App(.flickr, key: key, secret: Secret(secret))
let account = app.account(store: .file())
let flickr = Flickr(auth: FlickrAccount(account))
let words = Array(CommandLine.arguments.dropFirst())
do {
  if try await !account.isAuthorized {
    let login = try await app.pin(options: OAuth1AuthorizationOptions(parameters: ["perms": "write"]))
    print("Open this page, and type in the code that it shows:\n\(login.url.absoluteString)")
    try await account.save(try await login.complete(pin: readLine() ?? ""))
  }
  if let file = words.first {
    let photo = Flickr.Upload(
      URL(fileURLWithPath: file), title: words.dropFirst().first, tags: Array(words.dropFirst(2)))
    print("https://www.flickr.com/photo.gne?id=\(try await flickr.upload(photo))")
  } else {
    print("The photos of \(try await flickr.testLogin().user.username.content):")
    for try await photo in flickr.getPhotosPages(userID: "me", extras: [.views], perPage: 100).limit(1).items {
      print("\(photo.id)  \(photo.title)  seen \(photo.views ?? 0) times")
    }
  }
} catch {
  fail("\(error)")
}
