import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Fetches the images and banners of users' profiles, and caches them in memory, and in a folder if you give one.
///
/// ```swift
/// let pictures = ProfileImageCache(x, folder: caches.appending(path: "profiles"))  // one for the whole app
/// let image = try await pictures.image(of: user, size: .bigger)
/// ```
///
/// If several tasks ask for a picture at the same time, it is fetched once. A cached picture is never fetched again,
/// because X gives every new picture a new URL. Pictures are public: requests carry no credentials, and go only to
/// `twimg.com`.
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

  /// Makes an empty cache, or one that continues with the pictures in a folder.
  ///
  /// - Parameters:
  ///   - x: The client of either version; the cache uses its transport, retries and hosts.
  ///   - capacity: The maximum number of bytes in memory; the least recently used pictures go first. Default: 16 MiB.
  ///   - folder: The folder that keeps pictures after the process ends; it is made when the first picture arrives.
  ///     Default: none.
  ///   - folderCapacity: The maximum number of bytes in the folder; the least recently used pictures go first. Default:
  ///     64 MiB.
  ///   - options: Options of the cache's calls that differ from the client's configuration.
  public init(
    _ x: some APIClient, capacity: Int = 16 << 20, folder: URL? = nil, folderCapacity: Int = 64 << 20,
    options: CallOptions = CallOptions()
  ) {
    client = x.client
    self.capacity = capacity
    self.folder = folder.map { PictureFolder(url: $0, capacity: folderCapacity) }
    self.options = options
  }

  /// An image in a certain size.
  ///
  /// - Parameters:
  ///   - url: Its URL in any size, as the user has it.
  ///   - size: The size. Default: the one that the API's responses name, 48 by 48 pixels.
  /// - Throws: `CallError`; `.invalidCall` if the URL is not X's.
  public func image(at url: String, size: ProfileImageSize = .normal) async throws(CallError) -> Data {
    try await picture(size.url(of: url))
  }

  /// A banner in a certain size.
  ///
  /// - Parameters:
  ///   - url: Its URL, with or without a size, as the user has it.
  ///   - size: The size. Default: 1,500 by 500 pixels.
  /// - Throws: `CallError`; `.invalidCall` if the URL is not X's.
  public func banner(at url: String, size: ProfileBannerSize = .large) async throws(CallError) -> Data {
    try await picture(size.url(of: url))
  }

  /// An image that is in memory, without waiting; for a row that is drawn again. `nil` if the image is not in memory.
  public func cachedImage(at url: String, size: ProfileImageSize = .normal) -> Data? {
    (try? address(size.url(of: url))).flatMap(kept)
  }

  /// A banner that is in memory, without waiting. `nil` if the banner is not in memory.
  public func cachedBanner(at url: String, size: ProfileBannerSize = .large) -> Data? {
    (try? address(size.url(of: url))).flatMap(kept)
  }

  /// Removes all pictures, including those in the folder.
  public func removeAll() {
    state.withLock { ($0.kept, $0.bytes) = ([:], 0) }
    folder?.removeAll()
  }
}

extension ProfileImageCache {
  private func picture(_ url: String) async throws(CallError) -> Data {
    let address = try address(url)
    if let data = kept(address) { return data }
    // A row that is already gone begins no flight, because only the flight's end would remove it.
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

  /// A picture's URL, which is its key in the cache. `https` also serves what X names by `http`.
  private func address(_ url: String) throws(CallError) -> String {
    let address = url.hasPrefix("http://") ? "https://" + url.dropFirst(7) : url
    guard let parts = AbsoluteURL(address), parts.isPublicMedia else {
      let reason = "X keeps no profile pictures there; use the address from the user"
      throw .invalidCall(InvalidCall(endpoint: Self.endpoint, parameter: "url", reason: .value(reason)))
    }
    return address
  }

  private static let endpoint = "profilePicture"

  private func load(_ address: String) async -> Result<Data, CallError> {
    defer { state.withLock { $0.flights[address] = nil } }
    // The picture may have arrived between the check and the flight.
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
    // Callers get whatever arrives, but a gateway's page is not cached in the picture's place.
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
      // Remove a quarter at once, so that not every later picture has to make room again.
      for (other, entry) in state.kept.sorted(by: { $0.value.use < $1.value.use }) {
        guard state.bytes > capacity - capacity / 4, other != address else { break }
        state.kept[other] = nil
        state.bytes -= entry.data.count
      }
    }
  }
}

/// Pictures as files, each named after its URL.
private struct PictureFolder: Sendable {
  let url: URL
  let capacity: Int

  /// Nothing else in the folder is changed.
  private static let suffix = ".picture"
  /// The longest name that file systems take, with room for the suffix and for the file's temporary name.
  private static let longestName = 200

  /// The URL without its scheme; everything except letters, digits, `-`, `.` and `_` is percent-encoded.
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

  /// If a picture cannot be written, the next process fetches it again.
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
