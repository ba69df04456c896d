/// The catalogue that `callsign new` writes. It shows the most common features and passes `callsign check`.
enum StarterCatalogue {
  static let files = [(name: "api.yaml", text: api), (name: "pets.yaml", text: pets)]

  private static let api = """
    # The API as a whole. Exactly one file of the folder has this section.
    api:
      name: Petstore                            # the Swift type that carries the methods
      summary: A shop for pets.
      docs: https://petstore.example/docs
      hosts:                                    # base URLs; the first is the default
        api: https://petstore.example/v1
      schemes:                                  # what `auth:` may name
        bearer: A token from the account page.
        oauth2: {pets.read: See pets, pets.write: Add and change pets}
      auth: [bearer]                            # unless an endpoint says otherwise

    """

  private static let pets = """
    # A file is a group of endpoints and the models that go with them.
    group:
      summary: Pets.

    endpoints:
      listPets:                                 # becomes `petstore.listPets(…)`
        call: GET /pets
        summary: Lists the pets that are for sale, newest first.
        limits: {user: 300/15m}                 # requests per window
        params:
          kind: Kind?                           # `?`: may be left out
          tags: "[string]?"                     # a type with anything after `]` or `}` needs quotes
          max_results: int(1..100)?
          pagination_token: string?
        pages: {token: pagination_token, next: meta.next_token, items: data, size: max_results}
        returns: PetPage

      getPet:
        call: GET /pets/{id}                    # a parameter of the path has the same name in `params`
        summary: Reads one pet.
        params:
          id: PetID
        returns: Pet

      updatePet:
        call: PATCH /pets/{id}                  # parameters of POST, PUT and PATCH are fields of a JSON body
        summary: Changes a pet; what is left out stays as it is.
        auth: [oauth2(pets.write)]
        params:
          id: PetID
          name: string(1..50)?
          nickname: string | null?              # left out, set, or cleared with null
        returns: Pet

      deletePet:
        call: DELETE /pets/{id}
        summary: Removes a pet.
        auth: [oauth2(pets.write)]
        params:
          id: PetID                             # without `returns` the response has no content

    models:
      PetID: string(/^[0-9]+$/)                 # another name for a type

      Kind: enum [cat, dog, other]              # other values arrive as `.unknown("…")`

      Pet:
        id: PetID
        name: string
        nickname: string?                       # `?`: may be missing in a response
        kind: Kind
        born: date(day)?
        tags: "[string]?"

      PetPage:
        data: [Pet]
        meta: PageMeta

      PageMeta:
        next_token: string?

    """
}
