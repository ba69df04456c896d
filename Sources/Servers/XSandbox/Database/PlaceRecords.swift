import Foundation

/// A point on the Earth, in degrees.
struct GeographicPoint: Sendable, Equatable {
  var longitude: Double
  var latitude: Double

  /// `nil` if the point is not on the Earth.
  init?(longitude: Double, latitude: Double) {
    guard (-180...180).contains(longitude), (-90...90).contains(latitude) else { return nil }
    (self.longitude, self.latitude) = (longitude, latitude)
  }

  /// The distance to another point along a great circle, in kilometres.
  func distance(to other: GeographicPoint) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (north, east) = (radians(other.latitude - latitude), radians(other.longitude - longitude))
    let chord =
      pow(sin(north / 2), 2) + cos(radians(latitude)) * cos(radians(other.latitude)) * pow(sin(east / 2), 2)
    return 2 * 6_371 * asin(min(1, chord.squareRoot()))
  }
}

/// A rectangle on the Earth, in degrees. It does not cross the 180° meridian.
struct GeographicArea: Sendable, Equatable {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  /// - Parameter bounds: West, south, east and north; `nil` for any other number of values or another order.
  init?(_ bounds: [Double]) {
    guard bounds.count == 4, GeographicPoint(longitude: bounds[0], latitude: bounds[1]) != nil,
      GeographicPoint(longitude: bounds[2], latitude: bounds[3]) != nil, bounds[0] <= bounds[2], bounds[1] <= bounds[3]
    else { return nil }
    (west, south, east, north) = (bounds[0], bounds[1], bounds[2], bounds[3])
  }

  var bounds: [Double] { [west, south, east, north] }

  /// Its corners, counterclockwise from the south-west.
  var corners: [(longitude: Double, latitude: Double)] { [(west, south), (east, south), (east, north), (west, north)] }

  func contains(_ point: GeographicPoint) -> Bool {
    (west...east).contains(point.longitude) && (south...north).contains(point.latitude)
  }

  func contains(_ other: GeographicArea) -> Bool {
    west <= other.west && other.east <= east && south <= other.south && other.north <= north
  }

  func meets(_ other: GeographicArea) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }

  /// Whether all of it is within a distance in kilometres.
  func isWithin(_ distance: Double, of point: GeographicPoint) -> Bool {
    corners.allSatisfy { corner in
      GeographicPoint(longitude: corner.longitude, latitude: corner.latitude).map {
        $0.distance(to: point) <= distance
      } == true
    }
  }
}

/// A place in the database that posts can be tagged with.
struct PlaceRecord: Sendable {
  /// The kinds, smallest first.
  enum Kind: String, Sendable, CaseIterable {
    case neighborhood, city, admin, country
  }

  let id: Identifier
  var name: String
  var fullName: String
  var country: String
  var countryCode: String
  var kind: Kind
  var area: GeographicArea

  /// The ID in X's format for places: sixteen hexadecimal digits.
  var key: String { Self.key(id) }

  static func key(_ id: Identifier) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
  }

  /// Parses a ``key``.
  static func identifier(_ key: String) -> Identifier? {
    key.utf8.count == 16 && key.allSatisfy(\.isHexDigit) ? Identifier(key, radix: 16) : nil
  }
}

extension Database {
  /// The places in every sandbox, with X's IDs.
  static let firstPlaces: [Identifier: PlaceRecord] = {
    let rows: [(key: String, name: String, full: String, kind: PlaceRecord.Kind, bounds: [Double])] = [
      ("96683cc9126741d1", "United States", "United States", .country, [-179.23, 17.83, -65.17, 71.43]),
      (
        "5a110d312052166f", "San Francisco", "San Francisco, CA", .city,
        [-122.514926, 37.708075, -122.357031, 37.833238]
      ),
      ("01a9a39529b27f36", "Manhattan", "Manhattan, NY", .city, [-74.026675, 40.683935, -73.910408, 40.877483]),
    ]
    var places: [Identifier: PlaceRecord] = [:]
    for row in rows {
      guard let id = PlaceRecord.identifier(row.key), let area = GeographicArea(row.bounds) else { continue }
      places[id] = PlaceRecord(
        id: id, name: row.name, fullName: row.full, country: "United States", countryCode: "US", kind: row.kind,
        area: area)
    }
    return places
  }()

  /// The place with an ID in X's format.
  func place(_ key: String) -> PlaceRecord? { PlaceRecord.identifier(key).flatMap { places[$0] } }

  /// The places that contain a point, smallest first.
  func places(around point: GeographicPoint) -> [PlaceRecord] {
    places.values.filter { $0.area.contains(point) }.sorted { left, right in
      let ranks = (
        PlaceRecord.Kind.allCases.firstIndex(of: left.kind), PlaceRecord.Kind.allCases.firstIndex(of: right.kind)
      )
      return ranks.0 == ranks.1 ? left.id < right.id : (ranks.0 ?? 0) < (ranks.1 ?? 0)
    }
  }

  /// The larger places that contain one, smallest first.
  func places(around place: PlaceRecord) -> [PlaceRecord] {
    places.values.filter { $0.id != place.id && $0.area.contains(place.area) }.sorted { $0.id < $1.id }
  }
}

extension PostRecord {
  /// Whether everything known about where it was posted is within an area.
  func isWithin(_ area: GeographicArea, in database: Database) -> Bool {
    if let point { return area.contains(point) }
    return place.flatMap { database.places[$0] }.map { area.contains($0.area) } ?? false
  }

  /// Whether everything known about where it was posted is within a number of kilometres of a point.
  func isWithin(_ distance: Double, of center: GeographicPoint, in database: Database) -> Bool {
    if let point { return point.distance(to: center) <= distance }
    return place.flatMap { database.places[$0] }.map { $0.area.isWithin(distance, of: center) } ?? false
  }

  /// Whether it was posted in an area, or in a place that overlaps it.
  func meets(_ area: GeographicArea, in database: Database) -> Bool {
    if let point { return area.contains(point) }
    return place.flatMap { database.places[$0] }.map { area.meets($0.area) } ?? false
  }
}
