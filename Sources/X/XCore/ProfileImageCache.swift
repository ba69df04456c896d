import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Fetches the images and banners of users' profiles, and keeps them: in memory, and in a folder if it is given one.
///
/// ```swift
/// let pictures = ProfileImageCache(x, folder: caches.appending(path: "profiles"))  // one for the whole app
/// let image = try await pictures.image(of: user, size: .bigger)
/// ```
///
/// A picture that several ask for at once is fetched once. What is kept is never asked for again: X gives a new picture an
/// address of its own. Pictures are public, so that no credentials go along, and come from `twimg.com` alone.
///
/// Source: https://developer.x.com/en/docs/x-api/v1/accounts-and-users/user-profile-images-and-banners
public final class ProfileImageCache: Sendable {
  private struct State {
    var kept: [String: (data: Data, use: Int)] = [:]
    var bytes = 0
    var uses = 0
    var flights: [String: SingleFlight<Result<Data, CallError>>] = [:]
  }

  private let client: Client
  private let capacity: Int
  private let folder: PictureFolder?
  private let options: CallOptions
  private let state = Locked(State())

  /// Makes an empty store, or one that goes on with what is in a folder.
  ///
  /// - Parameters:
  ///   - x: The client of either version, whose transport, retries and hosts it uses.
  ///   - capacity: The most bytes in memory; what was not used for longest goes first. Default: 16 MiB.
  ///   - folder: Where pictures outlive the process; made when the first arrives. Default: none.
  ///   - folderCapacity: The most bytes in the folder; what was not used for longest goes first. Default: 64 MiB.
  ///   - options: Deviations of its calls from the client's configuration.
  public init(
    _ x: some APIClient, capacity: Int = 16 << 20, folder: URL? = nil, folderCapacity: Int = 64 << 20,
    options: CallOptions = CallOptions()
  ) {
    client = x.client
    self.capacity = capacity
    self.folder = folder.map { PictureFolder(url: $0, capacity: folderCapacity) }
    self.options = options
  }

  /// An image in a size.
  ///
  /// - Parameters:
  ///   - url: Its address in any size, as the user has it.
  ///   - size: The size. Default: as the API names it, 48 by 48 pixels.
  /// - Throws: `CallError`; `.invalidCall` for an address that is none of X's.
  public func image(at url: String, size: ProfileImageSize = .normal) async throws(CallError) -> Data {
    try await picture(size.url(of: url))
  }

  /// A banner in a size.
  ///
  /// - Parameters:
  ///   - url: Its address in any size, or without one, as the user has it.
  ///   - size: The size. Default: 1,500 by 500 pixels.
  /// - Throws: `CallError`; `.invalidCall` for an address that is none of X's.
  public func banner(at url: String, size: ProfileBannerSize = .large) async throws(CallError) -> Data {
    try await picture(size.url(of: url))
  }

  /// An image that is in memory, at once: for a row that is drawn again. `nil` where it has to be asked for.
  public func cachedImage(at url: String, size: ProfileImageSize = .normal) -> Data? {
    (try? address(size.url(of: url))).flatMap(kept)
  }

  /// A banner that is in memory, at once. `nil` where it has to be asked for.
  public func cachedBanner(at url: String, size: ProfileBannerSize = .large) -> Data? {
    (try? address(size.url(of: url))).flatMap(kept)
  }

  /// Forgets all pictures, those of the folder too.
  public func removeAll() {
    state.withLock { ($0.kept, $0.bytes) = ([:], 0) }
    folder?.removeAll()
  }
}

extension ProfileImageCache {
  private func picture(_ url: String) async throws(CallError) -> Data {
    let address = try address(url)
    if let data = kept(address) { return data }
    // A row that is gone already begins no flight, whose end alone would remove it.
    if Task.isCancelled { throw .cancelled }
    let flight = state.withLock { state in
      let flight = state.flights[address] ?? SingleFlight()
      state.flights[address] = flight
      return flight
    }
    let result: Result<Data, CallError>
    do { result = try await flight.value { await self.load(address) } } catch { throw .cancelled }
    return try result.get()
  }

  /// A picture's address, by which it is kept. What X names by `http` is there by `https` too.
  private func address(_ url: String) throws(CallError) -> String {
    let address = url.hasPrefix("http://") ? "https://" + url.dropFirst(7) : url
    guard let parts = AbsoluteURL(address), parts.isPublicMedia else {
      let reason = "X keeps no pictures of users there; take the address that the user has"
      throw .invalidCall(InvalidCall(endpoint: Self.endpoint, parameter: "url", reason: .value(reason)))
    }
    return address
  }

  private static let endpoint = "profilePicture"

  private func load(_ address: String) async -> Result<Data, CallError> {
    defer { state.withLock { $0.flights[address] = nil } }
    // It may have arrived between the look and the flight.
    if let data = kept(address) { return .success(data) }
    if let data = folder?.data(of: address) {
      keep(data, for: address)
      return .success(data)
    }
    let response: Response<Data>
    do throws(CallError) {
      response = try await client.data(
        Call(name: Self.endpoint, .get, address, below: [], auth: .none, options: options))
    } catch {
      return .failure(error)
    }
    // Who asks for a picture gets what there is; a page of some gateway is not kept in its place.
    if response.headers[.contentType]?.hasPrefix("image/") == true, !response.value.isEmpty {
      keep(response.value, for: address)
      folder?.keep(response.value, for: address)
    }
    return .success(response.value)
  }

  private func kept(_ address: String) -> Data? {
    state.withLock { state in
      guard let data = state.kept[address]?.data else { return nil }
      state.uses += 1
      state.kept[address]?.use = state.uses
      return data
    }
  }

  private func keep(_ data: Data, for address: String) {
    guard data.count <= capacity else { return }
    state.withLock { state in
      state.uses += 1
      state.bytes += data.count - (state.kept[address]?.data.count ?? 0)
      state.kept[address] = (data, state.uses)
      guard state.bytes > capacity else { return }
      // A quarter at once, so that not every picture after this one makes room anew.
      for (other, entry) in state.kept.sorted(by: { $0.value.use < $1.value.use }) {
        guard state.bytes > capacity - capacity / 4, other != address else { break }
        state.kept[other] = nil
        state.bytes -= entry.data.count
      }
    }
  }
}

/// Pictures as files, each named by its address.
private struct PictureFolder: Sendable {
  let url: URL
  let capacity: Int

  /// Nothing else in the folder is touched.
  private static let suffix = ".picture"
  /// The most bytes that file systems take, with room for the suffix and for the name that a file has while it is written.
  private static let longestName = 200

  /// The address without its scheme, whose other characters than letters, digits, `-`, `.` and `_` are percent-encoded.
  private func file(_ address: String) -> URL? {
    var name: [UInt8] = []
    PercentEncoding.append(String(address.dropFirst("https://".count)), to: &name)
    guard name.count <= Self.longestName else { return nil }
    return url.appendingPathComponent(String(decoding: name, as: UTF8.self) + Self.suffix)
  }

  func data(of address: String) -> Data? {
    guard let file = file(address), let data = try? Data(contentsOf: file), !data.isEmpty else { return nil }
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
    return data
  }

  /// A picture that cannot be written is asked for again by the next process.
  func keep(_ data: Data, for address: String) {
    guard let file = file(address), data.count <= capacity else { return }
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard (try? data.write(to: file, options: .atomic)) != nil else { return }
    prune()
  }

  func removeAll() { for file in files() { try? FileManager.default.removeItem(at: file.url) } }

  private func prune() {
    let files = files().sorted { $0.date < $1.date }
    var bytes = files.reduce(0) { $0 + $1.size }
    for file in files where bytes > capacity {
      try? FileManager.default.removeItem(at: file.url)
      bytes -= file.size
    }
  }

  private func files() -> [(url: URL, size: Int, date: Date)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix(Self.suffix) }.compactMap { name in
      let file = url.appendingPathComponent(name)
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
        let size = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
      else { return nil }
      return (file, size, date)
    }
  }
}
