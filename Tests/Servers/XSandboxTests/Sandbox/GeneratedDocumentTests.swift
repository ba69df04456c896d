import Testing

@testable import XSandbox

@Suite("Responses that are made by the types")
struct GeneratedDocumentTests {
  @Test("They also have what X's document requires")
  func mended() {
    #expect(
      GeneratedDocument.mended(["id": 7, "id_str": "9", "user_id_str": "x"]) == [
        "id": 7, "id_str": "7", "user_id_str": "x",
      ])
    let user: JSON = ["data": [["username": "a", "public_metrics": ["like_count": 3], "withheld": ["scope": "tweet"]]]]
    #expect(
      GeneratedDocument.mended(user) == [
        "data": [
          [
            "username": "a", "withheld": ["scope": "user"],
            "public_metrics": [
              "like_count": 3, "followers_count": 0, "following_count": 0, "listed_count": 0, "post_count": 0,
            ],
          ]
        ]
      ])
    #expect(
      GeneratedDocument.mended(["media_key": "7_1", "public_metrics": [:]])
        == ["media_key": "7_1", "public_metrics": ["view_count": 0]])
    #expect(GeneratedDocument.mended(["withheld": ["scope": "tweet"]]) == ["withheld": ["scope": "post"]])
  }
}
