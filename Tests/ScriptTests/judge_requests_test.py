import base64, json, sys, unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Programs/RequestJudge"))
from cases import Case, Operations, cases
from methods import methods, swift
from values import NoValue, Values, matching

try:
    from judge import Judge
except ImportError:  # openapi-core is not installed
    Judge = None

GOLDEN = (ROOT / "Tests/Catalogue/CallsignGeneratorTests/Golden/pets.swift.txt").read_text(encoding="utf-8")
DOCUMENT = {
    "openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example/v1"}],
    "paths": {"/pets/{id}": {"post": {
        "operationId": "addPet", "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "limit", "in": "query", "required": True, "schema": {"type": "integer", "minimum": 1, "maximum": 9}},
            {"name": "tags", "in": "query", "explode": False, "schema": {"type": "array", "items": {"type": "string"}}}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": {
            "type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 3}}}}}},
        "responses": {"204": {"description": ""}}}}}}


class Made(unittest.TestCase):
    def make(self, variant, **schema):
        return Values({}).make(schema, variant)

    def test_values_are_at_the_bounds(self):
        self.assertEqual(self.make("least", type="integer", minimum=1, maximum=9), 1)
        self.assertEqual(self.make("greatest", type="integer", minimum=1, maximum=9), 9)
        self.assertEqual(self.make("greatest", type="integer", maximum=9, exclusiveMaximum=True), 8)
        self.assertEqual(self.make("least", type="integer", minimum=10, multipleOf=7), 14)
        self.assertEqual(self.make("greatest", type="integer", format="int32"), 2 ** 31 - 1)
        self.assertEqual(self.make("greatest", type="string", maxLength=5), "zzzzz")
        self.assertEqual(len(self.make("greatest", type="array", maxItems=2, items={"type": "string"})), 2)
        self.assertEqual(self.make("required", type="object", required=["a"], properties={"a": {"enum": [3]}, "b": {}}), {"a": 3})

    def test_a_pattern_is_matched_or_there_is_no_value(self):
        self.assertEqual(matching("^[A-Z]{2}-[0-9]{3,5}$", 0, None, False), "AA-000")
        self.assertRaises(NoValue, matching, "^a{9}$", 0, 3, False)

    def test_a_schema_that_needs_itself_has_no_value(self):
        document = {"a": {"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/a"}}}}
        self.assertRaises(NoValue, Values(document).make, {"$ref": "#/a"}, "least")


class Methods(unittest.TestCase):
    def test_labels_types_and_names_on_the_wire_are_read_from_the_text(self):
        method = methods(GOLDEN)["GET", "/pets"]
        self.assertEqual(method.name, "searchPets")
        self.assertEqual([(one.label, one.type, one.is_optional) for one in method.arguments[:5]], [
            ("q", "String", False), ("limit", "Int", True), ("minWeight", "Double", True), ("neutered", "Bool", True),
            ("nickname", "Nullable<String>", True)])
        wires = {one.wire: one.argument for one in method.sendings}
        self.assertEqual((wires["born_after"], wires["X-Trace"]), ("bornAfter", "trace"))

    def test_arguments_are_swift(self):
        self.assertEqual(swift("Nullable<String>", None, ""), ".null")
        self.assertEqual(swift("Date", "1970-01-02", ""), "Date(timeIntervalSince1970: 86400.0)")
        self.assertEqual(swift("Int", 3, ""), 'try value(Int.self, ####"3"####)')


@unittest.skipIf(Judge is None, "openapi-core is not installed")
class Judged(unittest.TestCase):
    def judge(self, path="/v1/pets/a%2Fb?limit=9&tags=x%2Cy", body={"name": "Rex"}, **more):
        case = Case("", "/pets/{id}", "post", "least", media_type="application/json", expected={
            "path": {"id": "a/b"}, "query": {"limit": 9, "tags": ["x", "y"]}, "body": {"name": "Rex"}})
        line = {"method": "POST", "scheme": "https", "authority": "pets.example", "path": path,
                "headers": [["Content-Type", "application/json"]], "body": base64.b64encode(json.dumps(body).encode()).decode()}
        return Judge(DOCUMENT, None).problems(case, {**line, **more})

    def test_a_right_request_is_found_right(self):
        self.assertEqual(self.judge(), [])

    def test_what_is_wrong_is_found(self):
        self.assertIn("became", "".join(self.judge(path="/v1/pets/a%2Fb?limit=8&tags=x%2Cy")))
        self.assertIn("became", "".join(self.judge(path="/v1/pets/a%2Fb?limit=9&tags=x&tags=y")))
        self.assertIn("Missing required query parameter", "".join(self.judge(path="/v1/pets/a%2Fb?tags=x%2Cy")))
        self.assertIn("no such parameter", "".join(self.judge(path="/v1/pets/a%2Fb?limit=9&tags=x%2Cy&more=1")))
        self.assertIn("is not /pets/{id}", "".join(self.judge(path="/pets/a%2Fb?limit=9&tags=x%2Cy")))
        self.assertIn("is not /pets/{id}", "".join(self.judge(authority="other.example")))
        self.assertIn("is too long", "".join(self.judge(body={"name": "Rexy"})))
        self.assertIn("mimetype", "".join(self.judge(headers=[["Content-Type", "text/plain"]])))
        self.assertIn("nothing was sent", "".join(self.judge(problem="why")))

    def test_operations_are_chosen_for_what_they_have(self):
        operations = Operations(DOCUMENT)
        self.assertEqual([one[2]["operationId"] for one in operations.chosen(3)], ["addPet"])
        notes = cases(operations, *operations.chosen(1)[0], methods(GOLDEN)["GET", "/pets"], lambda *_: True)[1]
        self.assertEqual({kind for _, kind, _ in notes}, {"Unsaid"})


if __name__ == "__main__":
    unittest.main()
