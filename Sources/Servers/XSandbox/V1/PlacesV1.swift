/// The operations for places.
enum PlacesV1 {
  static let operations = Operation.catalogued(
    [.init("getGeoId", show), .init("getGeoReverseGeocode", around), .init("getGeoSearch", search)], in: .v1)

  private static func show(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard let place = database.place(context.path["place_id"] ?? "") else { throw .noSuchPage }
    return Response(json: try RendererV1(database, context).place(place))
  }

  private static func around(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard let point = try context.point() else { throw .missingParameter("lat and long") }
    return try result("reverse_geocode", database.places(around: point), context, database)
  }

  private static func search(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let point = try context.point()
    let name = context.parameter("query")?.lowercased()
    guard point != nil || name != nil || context.parameter("ip") != nil else {
      throw .missingParameter("query, ip, or lat and long")
    }
    var places = point.map(database.places(around:)) ?? database.places.values.sorted { $0.id < $1.id }
    if let name { places = places.filter { $0.fullName.lowercased().contains(name) } }
    if let key = context.parameter("contained_within") {
      guard let outer = database.place(key) else { throw .invalidParameter("contained_within") }
      places = places.filter { $0.id != outer.id && outer.area.contains($0.area) }
    }
    return try result("search", places, context, database)
  }

  private static func result(
    _ type: String, _ places: [PlaceRecord], _ context: RequestContext, _ database: Database
  ) throws(Problem) -> Response {
    var places = places
    if let text = context.parameter("granularity") {
      let kinds = PlaceRecord.Kind.allCases
      guard let smallest = kinds.firstIndex(where: { $0.rawValue == text }) else {
        throw .invalidParameter("granularity")
      }
      places = places.filter { kinds[smallest...].contains($0.kind) }
    }
    let count = try context.count("max_results", default: 20, atMost: 100)
    let renderer = try RendererV1(database, context)
    let asked = context.parameters.filter { $0.key != "callback" }.mapValues(JSON.string)
    return Response(json: [
      "query": [
        "type": .string(type), "url": .string("https://api.twitter.com/1.1/geo/\(type).json"),
        "params": .object(asked),
      ],
      "result": ["places": .array(places.prefix(count).map { renderer.place($0) })],
    ])
  }
}

extension RequestContext {
  /// The point from `lat` and `long`; `nil` if one of them is missing.
  func point() throws(Problem) -> GeographicPoint? {
    guard let latitude = parameter("lat"), let longitude = parameter("long") else { return nil }
    guard let north = Double(latitude), let east = Double(longitude),
      let point = GeographicPoint(longitude: east, latitude: north)
    else { throw .v1(400, 3, "Invalid coordinates.") }
    return point
  }
}

extension RendererV1 {
  func place(_ place: PlaceRecord, hasSurroundings: Bool = true) -> JSON {
    var members: [String: JSON] = [
      "id": .string(place.key), "url": .string("https://api.twitter.com/1.1/geo/id/\(place.key).json"),
      "place_type": .string(place.kind.rawValue), "name": .string(place.name), "full_name": .string(place.fullName),
      "country_code": .string(place.countryCode), "country": .string(place.country),
      "centroid": [
        .number((place.area.west + place.area.east) / 2), .number((place.area.south + place.area.north) / 2),
      ],
      "bounding_box": [
        "type": "Polygon",
        "coordinates": [.array(place.area.corners.map { [.number($0.longitude), .number($0.latitude)] })],
      ],
      "attributes": [:],
    ]
    let around = hasSurroundings ? database.places(around: place) : []
    members["contained_within"] = .array(around.map { self.place($0, hasSurroundings: false) })
    return .object(members)
  }
}
