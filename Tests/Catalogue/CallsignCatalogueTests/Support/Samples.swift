/// Catalogues that are good.
enum Samples {
  /// One of everything that the format can say.
  static let everything = """
    api:
      name: Petstore
      summary: A shop for pets.
      docs: https://petstore.example/docs
      hosts:
        api: https://petstore.example/v1
        files: https://files.petstore.example
      schemes:
        oauth1:
        oauth2: {$summary: Log in, read: See pets, write: Change pets}
        partner_key: A key that the partner portal hands out.
      auth: [oauth1]
    group:
      summary: Pets.
      auth: [oauth1, oauth2(read, write)]
      host: files
    endpoints:
      updatePet:
        call: PUT /pets/{id}
        name: changePet
        summary: Changes a pet.
        details: |
          It may take a while.
        docs: https://petstore.example/docs/update
        host: api
        auth: [oauth2(write), partner_key]
        limits: {user: 300/15m, app: 10000/24h}
        deprecated: use patchPet
        repeatable: true
        body_required: true
        params:
          id: PetID
          name: string(1..25, /^[a-z]+$/)?
          nickname: string | null?
          tags: "[string](1..5)?"
          private: {type: bool?, in: query, name: isPrivate, summary: Hidden., deprecated: true}
          X-Trace: {type: string?, in: header}
        together: [name, nickname]
        returns: Pet
      findPets:
        call: GET /pets
        params:
          user_id: int?
          screen_name: string?
          cursor: string?
          count: int(1..100)?
          kinds: {type: "[Kind]?", list: repeat}
        one_of: {OwnerReference owner: [user_id, screen_name]}
        any_of: [[user_id, screen_name], [screen_name, cursor]]
        pages: {cursor: cursor, next: next_cursor, previous: previous_cursor, items: pets, size: count}
        returns: Page
      addPhoto:
        call: POST /pets/{id}/photo
        body: multipart
        params: {id: PetID, photo: file, caption: string?}
      replaceNotes:
        call: PUT /pets/{id}/notes
        params:
          id: PetID
          notes: {type: bytes, in: body}
        returns: bytes
      watchPets:
        call: GET /pets/watch
        auth: [none]
        stream: lines
        returns: Event
      listOld:
        call: GET /old
        params: {max_id: int?, since_id: int?, count: int?}
        pages: {max_id: max_id, items: ., id: id, since: since_id, size: count}
        returns: [Pet]
      login:
        call: POST /login
        body: form
        params: {user: string, "password": string, remember: bool?}
    models:
      PetID: string(/^[0-9]{1,19}$/)
      Kind: enum [cat, dog,
        "guinea pig"]
      Mode:
        $summary: How it runs.
        $enum: {a: the first, "1x": {name: single, summary: the second}}
      Pet:
        $summary: A pet.
        $docs: https://petstore.example/docs/pet
        $deprecated: false
        $name: Animal
        $$ref: string?
        id: PetID
        born: date(day)?
        seen: date(EEE MMM dd HH:mm:ss Z yyyy)?
        weight: number(0..)?
        kind: Kind?
        owner: {type: string?, name: keeper, summary: Who feeds it.}
        parents: "[Pet](..2)?"
        best_friend: indirect Pet?
        scores: {int}
        $extra: json
      Page: {pets: [Pet], next_cursor: string?, previous_cursor: string?}
      Event:
        $tag: type
        $union: {born: Pet, sold: Pet, other: {name: rest, type: Page}}
      Target: union [Pet, Page, string]
      Place:
        $union: [Page, {name: spot, type: "[number]"}]
      Notes: {$type: "[string]", $summary: What people say.}

    """
}
