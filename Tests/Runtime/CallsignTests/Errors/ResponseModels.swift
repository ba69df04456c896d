import CallsignJSON

/// Models in the generator's form, without the accessors that no test here reads.
enum API {
  struct User: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout("\nid:string\nfullName~full name:string\njoined:date(EEE MMM dd HH:mm:ss Z yyyy)?\n*:{json}")
    }
  }

  struct Trouble: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("title:string resource_type:string") }
  }

  struct TolerantUserResponse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("data:#0 errors:[#1]?", User.self, Trouble.self) }
  }

  struct TolerantUsersResponse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("data:[#0]? errors:[#1]? meta:{json}?", User.self, Trouble.self) }
  }
}
