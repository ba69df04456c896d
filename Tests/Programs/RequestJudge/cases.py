"""Calls of a document's operations with arguments that the document allows, and the Swift that makes them."""

from dataclasses import dataclass, field

from methods import NoArgument, plain_path, swift
from values import VARIANTS, NoValue, Values

VERBS = ("get", "put", "post", "delete", "options", "head", "patch")
# What the client itself sends, and OpenAPI says that parameters of these names are to be ignored.
OWN_HEADERS = {"accept", "content-type", "authorization", "idempotency-key", "x-idempotency-key"}


@dataclass
class Case:
    name: str
    path: str
    verb: str
    variant: str
    # By place ("path", "query", "header", "cookie", "body"): names and values.
    expected: dict = field(default_factory=dict)
    call: str = ""
    media_type: str = None


@dataclass
class Parameter:
    name: str
    place: str
    schema: dict
    is_required: bool
    style: str
    explode: bool
    content: str = None


class Operations:
    def __init__(self, document):
        self.document = document
        self.values = Values(document)

    def all(self):
        """(path, verb, operation, parameters) of each operation, but for those that refer to what is not there."""
        for path, item in (self.document.get("paths") or {}).items():
            try:
                item = self.values.resolved(item)
            except NoValue:
                continue
            for verb in VERBS:
                if not isinstance(item.get(verb), dict):
                    continue
                try:
                    parameters = list(self.parameters(item, item[verb]))
                except NoValue:
                    continue
                yield path, verb, item[verb], parameters

    def parameters(self, item, operation):
        found = {}
        for one in (item.get("parameters") or []) + (operation.get("parameters") or []):
            one = self.values.resolved(one)
            if "name" in one and "in" in one:
                found[one["name"], one["in"]] = one
        for (name, place), one in found.items():
            if place == "header" and name.lower() in OWN_HEADERS:
                continue
            style = one.get("style") or ("form" if place in ("query", "cookie") else "simple")
            content = next(iter(one.get("content") or {}), None)
            schema = one.get("schema") or (one["content"][content].get("schema") if content else None)
            if schema is None:  # as in Swagger 2.0
                schema = {key: one[key] for key in ("type", "format", "enum", "items") if key in one}
            yield Parameter(
                name, place, schema, one.get("required") is True or place == "path", style,
                one.get("explode", style == "form"), content)

    def traits(self, operation, parameters):
        """What there is to judge in an operation: styles, kinds of values, and bodies."""
        result = set()
        for one in parameters:
            try:
                schema = self.values.flat(one.schema, "least")
            except NoValue:
                continue
            kind = self.values.kind(schema)
            result.add((one.place, one.style, one.explode, kind, schema.get("format"), bool(schema.get("enum"))))
            result |= {(one.place, bound) for bound in BOUNDS if bound in schema}
        body = self.body(operation)
        if body:
            result.add(("body", body[0]))
            try:
                for name, schema in (self.values.flat(body[1], "least").get("properties") or {}).items():
                    schema = self.values.flat(schema, "least")
                    kind = (self.values.kind(schema), schema.get("format"), bool(schema.get("enum")))
                    result |= {("member", body[0], *kind)} | {("member", bound) for bound in BOUNDS if bound in schema}
            except NoValue:
                pass
        return result

    def body(self, operation, media_type=None):
        """The media type of the body, and its schema."""
        body = self.values.resolved(operation.get("requestBody") or {})
        content = body.get("content") or {}
        for name, media in content.items():
            if media_type is None or name.split(";")[0].strip().lower() == media_type:
                return name, media.get("schema") or {}, body.get("required") is True, media.get("encoding") or {}
        return None

    def chosen(self, count):
        """The operations that between them have all there is to judge, at most so many."""
        rest = [(one, self.traits(one[2], one[3])) for one in self.all()]
        seen, result = set(), []
        while rest and len(result) < count:
            best = max(rest, key=lambda entry: len(entry[1] - seen))
            rest.remove(best)
            seen |= best[1]
            result.append(best[0])
        return result


BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern", "minItems",
          "maxItems", "multipleOf", "uniqueItems")


class Unsaid(Exception):
    """The generated method has no argument for what the document has."""


def cases(operations, path, verb, operation, parameters, method, is_valid):
    """(cases, notes) of an operation: a call for each variant whose values differ, and what could not be called."""
    result, notes, seen = [], [], set()
    for variant in VARIANTS:
        case = Case(f"{verb.upper()} {path} [{variant}]", path, verb, variant)
        try:
            fill(case, operations, operation, parameters, method, is_valid)
        except (NoValue, NoArgument, Unsaid) as problem:
            notes.append((case.name, type(problem).__name__, str(problem)))
            continue
        if case.call not in seen:
            seen.add(case.call)
            result.append(case)
    return result, notes


def fill(case, operations, operation, parameters, method, is_valid):
    values, arguments = operations.values, {}
    sendings = {(one.place, one.wire): one for one in method.sendings}
    names = {one.name: one for one in method.arguments}
    
    def give(place, wire, value, schema_name):
        sending = sendings.get((place, wire))
        if sending is None:
            raise Unsaid(f"no argument for {schema_name}")
        if sending.argument is None:
            if str(value) != str(sending.constant):
                raise Unsaid(f"{schema_name} is always {sending.constant!r}, and the document has {value!r}")
            return
        argument = names[sending.argument]
        rest = ("json:" if place == "json" else "") + sending.rest
        arguments[sending.argument] = swift(argument.type, value, rest)

    for one in parameters:
        if not one.is_required and case.variant == "required":
            continue
        variant = "greatest" if case.variant == "null" else case.variant
        flat = values.flat(one.schema, variant)
        is_list = values.kind(flat) in ("array", "object")
        if one.place == "header" and variant == "odd" or is_list and one.style != "deepObject" and not (one.explode and one.style == "form") \
                and variant == "odd" and not one.content:
            variant = "greatest"  # a header is ASCII, and a delimiter within an element cannot be told apart
        value = values.make(one.schema, variant, in_text=not one.content)
        if value == {} and one.is_required and not one.content:
            raise NoValue("an empty object leaves no trace outside JSON")
        if one.place in ("path", "header") and value == "":
            value = "0"
        # A schema that responses share may be one that is only read; a parameter of it is sent all the same.
        if not is_valid({**values.resolved(one.schema), "readOnly": False}, value):
            raise NoValue(f"no value for {one.name}: {value!r} is not valid")
        if one.place == "path" and isinstance(value, str) and value in (".", ".."):
            raise NoValue("a path cannot have a segment of dots")
        flattened = isinstance(value, dict) and one.style == "form" and one.explode and one.place == "query" \
            and ("query", one.name) not in sendings and not one.content
        if flattened:
            for name, member in value.items():
                give("query", name, member, f"the member {name} of the parameter {one.name}")
        else:
            give(one.place, one.name, value, f"the {one.place} parameter {one.name}")
        case.expected.setdefault(one.place, {})[one.name] = value
    fill_body(case, operations, operation, method, is_valid, give)
    missing = [one.label for one in method.arguments if not one.is_optional and one.name not in arguments]
    if missing:
        raise Unsaid(f"the document asks for no {', '.join(missing)}")
    given = ", ".join(
        f"{one.label}: {arguments[one.name]}" for one in method.arguments if one.name in arguments)
    call = f"{method.name}({given})"
    if "EventStream<" in method.returns:
        case.call = f"for try await _ in {'try await ' if 'async' in method.returns else ''}{call} {{ break }}"
    else:
        case.call = f"_ = {'try await ' if 'async' in method.returns else ''}{call}"


def fill_body(case, operations, operation, method, is_valid, give):
    places = {one.place for one in method.sendings}
    whole = next((one for one in method.sendings if one.place == "body"), None)
    kind = next((place for place in ("json", "form", "part") if place in places), None)
    if whole is None and kind is None:
        if operations.body(operation) and operations.body(operation)[2] and case.verb not in ("get", "head"):
            case.media_type = operations.body(operation)[0]
        return
    media = {"form": "application/x-www-form-urlencoded", "part": "multipart/form-data"}.get(kind)
    stated = None
    if whole is not None and "contentType:" in whole.rest:
        stated = whole.rest.split('contentType: "')[1].split('"')[0].split(";")[0].lower()
    body = operations.body(operation, media or stated)
    if body is None:
        body = operations.body(operation)
    if body is None:
        raise Unsaid("the document has no body")
    name, schema, is_required, encoding = body
    if case.variant == "required" and not is_required and kind is None:
        return
    case.media_type = name
    is_text = kind in ("form", "part")
    value = operations.values.make(schema, case.variant, in_text=is_text)
    if case.variant == "null" and not is_valid(schema, value):
        # What `nullable` means beside `allOf` is not agreed on.
        value = operations.values.make(schema, "greatest", in_text=is_text)
    if not is_valid(schema, value):
        raise NoValue(f"no valid body: {value!r}"[:300])
    if whole is not None:
        give("body", "", value, "the body")
    else:
        if not isinstance(value, dict):
            raise Unsaid("the body has members, and in the document it is no object")
        for member, inner in value.items():
            give(kind, member, inner, f"the member {member} of the body")
    case.expected["body"] = value


def program(type_name, all_cases):
    """Swift that makes the calls, beside `program.swift`."""
    lines = ["import Callsign", "import Foundation", "", f"typealias JudgedAPI = {type_name}", "",
             f"extension {type_name} {{", "  func callAll(_ recorder: Recorder) async {"]
    lines += [f"    await call{index}(recorder)" for index in range(len(all_cases))] + ["  }"]
    for index, case in enumerate(all_cases):
        lines += ["", f"  private func call{index}(_ recorder: Recorder) async {{",
                  f"    await recorder.run({swift_text(case.name)}) {{ {case.call} }}", "  }"]
    return "\n".join(lines + ["}", ""])


def swift_text(text):
    return '####"' + text + '"####'
