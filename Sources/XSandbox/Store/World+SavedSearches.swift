import Foundation

extension World {
  mutating func saveSearch(_ query: String, of owner: Identifier, at date: Date) -> SavedSearchRecord {
    let search = SavedSearchRecord(id: identifiers.next(), owner: owner, query: query, createdAt: date)
    savedSearches[search.id] = search
    savedSearchesOfUser[owner, default: Relation()].insert(search.id)
    return search
  }

  mutating func removeSavedSearch(_ id: Identifier) {
    guard let search = savedSearches.removeValue(forKey: id) else { return }
    savedSearchesOfUser[search.owner]?.remove(id)
  }
}
