import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Mistakes in an overlay are reported at their place")
struct BadOverlayTests {
  @Test(
    "a line that changes nothing is a warning",
    arguments: [
      ("endpoints: {gettPet: Gets.}", "1:13: warning: the import has no endpoint `gettPet`; did you mean `getPet`?"),
      (
        "endpoints: {other: Gets.}",
        "1:13: warning: the import has no endpoint `other`; one to add needs `call`, such as `call: GET /pets`"
      ),
      ("endpoints: {zzz: ~}", "1:13: warning: the import has no endpoint `zzz`, so there is nothing to remove"),
      (
        "endpoints: {getPet: {params: {size: int}}}",
        "1:31: warning: `getPet` has no parameter `size` in the import; to add one, write it under `add`"
      ),
      (
        "endpoints: {getPet: {params: {size: ~}}}",
        "1:31: warning: `getPet` has no parameter `size` in the import, so there is nothing to remove"
      ),
      (
        "endpoints: {getPet: {add: {limit: int?}}}",
        "1:28: warning: `getPet` has the parameter `limit` already in the import; leave it out"
      ),
      (
        "endpoints: {getPet: {first: [limt]}}",
        "1:30: warning: `getPet` has no parameter `limt` to put first; did you mean `limit`?"
      ),
      (
        "endpoints: {getPet: {summary: ~}}",
        "1:22: warning: endpoint `getPet` has no `summary` in the import, so there is nothing to remove"
      ),
      ("models: {Pett: {$summary: x}}", "1:10: warning: the import has no model `Pett`; did you mean `Pet`?"),
      (
        "models: {Zebra: {id: {summary: x}}}",
        "1:10: warning: the import has no model `Zebra`; one to add needs all of its types"
      ),
      ("models: {Zebra: ~}", "1:10: warning: the import has no model `Zebra`, so there is nothing to remove"),
      (
        "models: {Zebra: string}",
        "1:10: warning: the import has no model `Zebra`, and nothing uses the one that is added here"
      ),
      (
        "models: {Pet: {borm: date?}}",
        "1:16: warning: `Pet` has no field `borm` in the import; did you mean `born`?"
      ),
      (
        "models: {Pet: {weight: number?}}",
        "1:16: warning: `Pet` has no field `weight` in the import; to add one, write it under `$add`"
      ),
      (
        "models: {Pet: {weight: ~}}",
        "1:16: warning: `Pet` has no field `weight` in the import, so there is nothing to remove"
      ),
      (
        "models: {Pet: {$add: {id: string}}}",
        "1:23: warning: `Pet` has the field `id` already in the import; leave it out"
      ),
      (
        "models: {Color: {$enum: {blue: x}}}",
        "1:26: warning: model `Color` has no value `blue` in the import; to add one, write it under `$add`"
      ),
      (
        "models: {Pet: {either: ~}}",
        "1:1: warning: with these changes nothing uses `Either` any longer; remove it with `~` under `models`"
      ),
      ("groups: {pet: Pets.}", "1:10: warning: the import has no group `pet`; did you mean `pets`?"),
      ("params: {zzz: {name: a}}", "1:10: warning: no endpoint of the import has a parameter `zzz`"),
      ("fields: {zzz: date}", "1:10: warning: no model of the import has a field `zzz`"),
      ("params: {zzz: ~}", "1:10: warning: nothing in the import has a parameter `zzz`, so there is nothing to remove"),
      ("fields: {zzz: ~}", "1:10: warning: nothing in the import has a field `zzz`, so there is nothing to remove"),
      (
        "models: {Response<T>: ~}",
        "1:10: warning: the import has no template `Response<T>`, so there is nothing to remove"
      ),
      (
        "models: {Pet: {$enum: ~}}",
        "1:16: warning: model `Pet` has no `$enum` in the import, so there is nothing to remove"
      ),
      ("endpoints: ~", "1:1: warning: `endpoints: ~` removes nothing; name what to remove, or leave this out"),
      ("api: {schemes: {zzz: ~}}", "1:17: warning: the import has no scheme `zzz`, so there is nothing to remove"),
      (
        "api: {auth: [bearer]}",
        "1:7: warning: the import says which credentials its operations take, so `auth` of the API changes nothing; "
          + "give it to groups or endpoints"
      ),
    ])
  func stale(overlay: String, expected: String) {
    let result = merging(overlay)
    #expect(result.diagnostics.map(\.description) == ["o.yaml:" + expected])
    #expect(result.catalogue != nil)
  }

  @Test(
    "overlays that cannot be merged are errors",
    arguments: [
      ("a: [", "2:1: error: invalid YAML"),
      ("[a]", "1:1: error: an overlay must be a mapping, not a list"),
      ("operations: {}", "1:1: error: unknown key `operations` in an overlay"),
      ("import: {name: {}}", "1:10: error: unknown key `name` in `import`; did you mean `names`?"),
      ("import: {required: data}", "1:20: error: `required` lists the members that every response has"),
      ("endpoints: [a]", "1:12: error: `endpoints` must be a mapping from names, not a list"),
      ("endpoints: {getPet: [a]}", "1:21: error: endpoint `getPet` must be a summary, a mapping, or `~` to remove it"),
      ("endpoints: {getPet: }", "1:13: error: `getPet` has no value; write one, or `~` to remove what the import has"),
      ("endpoints: {getPet: {sumary: x}}", "1:22: error: unknown key `sumary` in endpoint `getPet`"),
      ("endpoints: {getPet: {limits: {user: often}}}", "1:37: error: `often` is not a rate limit"),
      ("endpoints: {getPet: {returns: Pett}}", "1:31: error: unknown type `Pett`; did you mean `Pet`?"),
      ("endpoints: {getPet: {params: {id: }}}", "1:31: error: `id` has no value"),
      ("endpoints: {getPet: {params: {id: {typ: int}}}}", "1:36: error: unknown key `typ` in parameter `id`"),
      ("endpoints: {listPets: {pages: {token: no, next: next, items: data}}}", "1:39: error:"),
      ("endpoints: {getPet: {params: {id: ~}}}", "1:13: error: in `getPet` of the import with these changes:"),
      ("models: {Pet: {born: datte?}}", "1:22: error: unknown type `datte`; did you mean `date`?"),
      ("models: {Color: {x: int}}", "1:18: error: `Color` is an enum in the import and has no fields"),
      ("models: {Either: {x: int}}", "1:19: error: `Either` is a union in the import and has no fields"),
      ("models: {Pet: }", "1:10: error: `Pet` has no value"),
      ("models: {Pet: {$sumary: x}}", "1:16: error: unknown key `$sumary` in model `Pet`"),
      ("models: {Color: ~}", "1:10: error: `Color` is removed here, but `Pet` of the import uses it; change that, too"),
      ("api: {name: }", "1:7: error: `name` has no value"),
      (
        "api: {name: Self}",
        "1:1: error: in `api` of the import with these changes: the API becomes the Swift type `Self`"
      ),
      (
        "api: {hosts: {api: ~, files: ~}}",
        "1:7: error: `hosts` is empty; name one, such as `api: https://api.example.com`"
      ),
      ("api: {hosts: ~}", "1:1: error: in `api` of the import with these changes: `api` has no `hosts`; name one"),
      ("api: {schemes: ~}", "1:7: error: name the schemes to remove, such as `schemes: {oauth1: ~}`"),
      (
        "api: {schemes: {oauth1: ~}}",
        "1:17: error: `oauth1` is removed here, but `api`, `getPet`, `addPet` and `listPets` of the "
          + "import use it; change these, too"
      ),
      ("groups: {pets: ~}", "1:16: error: `pets` must be a summary or a mapping; a group cannot be removed"),
      ("endpoints: {addPet: {params: }}", "1:22: error: `params` has no value"),
      ("endpoints: {addPet: {add: ~}}", "1:22: error: `add` lists the parameters that the import lacks; it is empty"),
      ("endpoints: {addPet: {params: ~}}", "1:13: error: in `addPet` of the import with these changes: "),
      ("endpoints: {addPet: {group: ~}}", "1:29: error: a group is named like its file"),
      ("endpoints: {addPet: {group: callsign}}", "1:29: error: a group is named like its file"),
      ("endpoints: {addPet: {group: ../pets}}", "1:29: error: a group is named like its file"),
      (
        "endpoints: {new: {call: GET /new, auth: [oauth1], group: \"\"}}", "1:58: error: a group is named like its file"
      ),
      (
        "endpoints: {listPets: {pages: {size: ~}}}",
        "1:24: error: `pages` is replaced as a whole, so `~` takes nothing out of it"
      ),
      ("models: {Color: {$enum: ~}}", "1:18: error: `$enum` is what `Color` is; say what it is instead"),
      ("models: {Either: {$union: ~}}", "1:19: error: `$union` is what `Either` is; say what it is instead"),
      ("models: {Pet: {$add: ~}}", "1:16: error: `$add` lists what `Pet` lacks; it is empty"),
      (
        "models: {Either: ~, Owner: ~}",
        "1:10: error: `Either` is removed here, but `Pet` of the import uses it; change that, too"
      ),
      (
        "models: {Pet: {owner: ~, either: ~}, Owner: ~, Either: ~, PetPage: {data: ~}, Color: ~}",
        "1:79: error: `Color` is removed here, but `Pet` of the import uses it; change that, too"
      ),
      (
        "params: {owner_id: }", "1:10: error: `owner_id` has no value; write its type or other settings"
      ),
      ("params: {id: ~}", "1:10: error: in `getPet` of the import with these changes: "),
      ("params: {owner_id: OwnerID}", "1:20: error: unknown type `OwnerID`"),
    ])
  func errors(overlay: String, expected: String) {
    let result = merging(overlay)
    let found = result.diagnostics.filter { $0.severity == .error }.map(\.description)
    #expect(found.first?.hasPrefix("o.yaml:" + expected) == true, "\(found)")
    #expect(result.catalogue == nil)
  }

  @Test("hostile overlays neither crash nor run on")
  func hostile() {
    let texts = [
      String(repeating: "{a: ", count: 60) + "1" + String(repeating: "}", count: 60),
      "endpoints: {getPet: {params: {id: {type: [[[[x]]]]}}}}", "models: {Pet: {{a: b}: c}}", "models: {? [a] : b}",
      "api: {schemes: {oauth2: [[a]]}}", "api: {hosts: []}", "groups: {pets: [x]}", "endpoints: {? {a: b} : c}",
      "models: {Pet: {$add: [a], $enum: {}}}", "models: {Color: {$add: {x: [1]}}}", "import: 5",
      "params: {id: {name: []}}",
    ]
    for text in texts { #expect(merging(text).catalogue == nil || !merging(text).diagnostics.hasErrors, "\(text)") }
  }
}
