"""Values that an OpenAPI document allows: the least, the greatest and the oddest. Nothing here knows the generator."""

import base64
import copy
import re

try:
    from re import _constants as regex, _parser as regex_parser
except ImportError:  # Python 3.10 and older
    import sre_constants as regex
    import sre_parse as regex_parser

# How the values of one call are chosen: least bounds and only what is required, least bounds and all, greatest bounds
# and all, texts of all kinds of characters, and null wherever it may be.
VARIANTS = ("required", "least", "greatest", "odd", "null")
ODD = "a b&c=d/e?f#g%25+h;i:j,k\"l'm<n>[o]{p}|q\\r^s`t~u@v!w$x*y(z)é漢🙂"
# Words in place of types, as far as their meaning is plain.
WORDS = {"int": "integer", "int32": "integer", "int64": "integer", "float": "number", "bool": "boolean"}
LONGEST = 2000
DEEPEST = 5


class NoValue(Exception):
    """The schema has no value that this code can make."""


class Values:
    def __init__(self, document):
        self.document = document
        # From 3.1 on, what is required and only read is required of a request, too.
        self.is_later = not str(document.get("openapi", "")).startswith("3.0")

    def resolved(self, schema):
        """The schema that a reference means, with what stands beside the reference."""
        seen = set()
        while isinstance(schema, dict) and "$ref" in schema:
            pointer = schema["$ref"]
            if pointer in seen or not pointer.startswith("#/"):
                raise NoValue(f"the reference {pointer} leads nowhere")
            seen.add(pointer)
            target = self.document
            for name in pointer[2:].split("/"):
                name = name.replace("~1", "/").replace("~0", "~")
                if not isinstance(target, dict) or name not in target:
                    raise NoValue(f"the reference {pointer} leads nowhere")
                target = target[name]
            schema = target
        return schema if isinstance(schema, dict) else {}

    def flat(self, schema, variant, depth=0):
        """The schema with `allOf` merged in, and one alternative of `oneOf` and `anyOf`."""
        if depth > 12:
            raise NoValue("the schema contains itself")
        schema = self.resolved(schema)
        result = {key: value for key, value in schema.items() if key not in ("allOf", "oneOf", "anyOf")}
        parts = [self.flat(part, variant, depth + 1) for part in schema.get("allOf") or []]
        for keyword in ("oneOf", "anyOf"):
            alternatives = [part for part in schema.get(keyword) or [] if self.resolved(part).get("type") != "null"]
            if not alternatives:
                continue
            chosen = alternatives[-1 if variant in ("greatest", "null") else 0]
            part = copy.deepcopy(self.flat(chosen, variant, depth + 1))
            tag = (schema.get("discriminator") or {}).get("propertyName")
            if tag and "$ref" in chosen:
                mapping = schema["discriminator"].get("mapping") or {}
                name = chosen["$ref"].split("/")[-1]
                names = [key for key, target in mapping.items() if target in (chosen["$ref"], name)] or [name]
                part.setdefault("properties", {})[tag] = {"type": "string", "enum": [names[0]]}
                part["required"] = list(part.get("required") or []) + [tag]
            parts.append(part)
        for part in parts:
            for key, value in part.items():
                if key == "properties":
                    result[key] = {**value, **(result.get(key) or {})}
                elif key == "required" and isinstance(value, list):
                    result[key] = list(dict.fromkeys((result.get(key) or []) + value))
                else:
                    result.setdefault(key, value)
        return result

    @staticmethod
    def kind(schema):
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next((one for one in kind if one != "null"), None)
        if kind is None:
            kind = "object" if "properties" in schema else "array" if "items" in schema else None
        return WORDS.get(kind, kind)

    @staticmethod
    def is_nullable(schema):
        kind = schema.get("type")
        return schema.get("nullable") is True or isinstance(kind, list) and "null" in kind

    def make(self, schema, variant, depth=0, in_text=False):
        """A value of the schema. `in_text`: it travels as text, where a list has no way to be empty."""
        schema = self.flat(schema, variant)
        if variant == "null" and depth > 0 and self.is_nullable(schema) and not in_text and "enum" not in schema:
            return None
        if "const" in schema:
            return schema["const"]
        values = [value for value in schema.get("enum") or [] if value is not None]
        if values:
            return values[-1 if variant in ("greatest", "odd") else 0]
        kind = self.kind(schema)
        if kind == "integer" or kind == "number" and str(schema.get("format")).startswith(("int", "unix")):
            return self.integer(schema, variant)
        if kind == "number":
            return self.number(schema, variant)
        if kind == "boolean":
            return variant in ("greatest", "odd")
        if kind == "array":
            return self.array(schema, variant, depth, in_text)
        if kind == "object":
            return self.object(schema, variant, depth, in_text)
        if kind == "string":
            return self.string(schema, variant, in_text)
        return self.string({}, "least", True) if in_text else {"any": ["thing", 1, True, None, 1.5]}

    @staticmethod
    def bounds(schema, step):
        least, greatest = schema.get("minimum"), schema.get("maximum")
        if schema.get("exclusiveMinimum") is True and least is not None:
            least += step
        elif not isinstance(schema.get("exclusiveMinimum"), (bool, type(None))):
            least = schema["exclusiveMinimum"] + step
        if schema.get("exclusiveMaximum") is True and greatest is not None:
            greatest -= step
        elif not isinstance(schema.get("exclusiveMaximum"), (bool, type(None))):
            greatest = schema["exclusiveMaximum"] - step
        return least, greatest

    def integer(self, schema, variant):
        least, greatest = self.bounds(schema, 1)
        bits = 31 if schema.get("format") == "int32" else 63
        step = int(schema.get("multipleOf") or 1)
        if variant in ("greatest", "odd"):
            value = min(int(greatest), 2 ** 63 - 1) if greatest is not None else max(2 ** bits - 1, int(least or 0))
            return value // step * step
        value = max(int(least), -2 ** 63) if least is not None else min(-2 ** bits, int(greatest or 0))
        return -(-value // step) * step

    def number(self, schema, variant):
        least, greatest = self.bounds(schema, 0.5)
        if variant in ("greatest", "odd"):
            value = greatest if greatest is not None else max(1234567.125, (least or 0) + 1)
        else:
            value = least if least is not None else min(-0.375, (greatest or 0) - 1)
        step = schema.get("multipleOf")
        return round(value / step) * step if step and step >= 0.5 else value

    def array(self, schema, variant, depth, in_text):
        least, greatest = schema.get("minItems") or 0, schema.get("maxItems")
        count = max(least, 1 if in_text or variant == "required" else 0)
        if variant in ("greatest", "odd", "null"):
            count = max(least, min(greatest if greatest is not None else 3, 20))
        if depth > DEEPEST:
            count = least
        items = schema.get("items") or {}
        values = []
        for index in range(count):
            value = self.make(items, variant, depth + 1, in_text)
            if value in values and schema.get("uniqueItems"):
                flat = self.flat(items, variant)
                others = [one for one in flat.get("enum") or [] if one is not None and one not in values]
                if others:
                    value = others[0]
                elif isinstance(value, str) and not {"pattern", "format", "enum"} & set(flat):
                    value = (value[:-1] if len(value) == flat.get("maxLength") else value) + str(index % 10)
                elif isinstance(value, (int, float)) and not isinstance(value, bool):
                    value += index if variant in ("required", "least") else -index
            if value not in values or not schema.get("uniqueItems"):
                values.append(value)
        if len(values) < least:
            raise NoValue("the elements of the list cannot be told apart")
        return values

    def object(self, schema, variant, depth, in_text):
        properties = schema.get("properties") or {}
        required = set(schema.get("required") or [])
        result = {}
        for name, property_schema in properties.items():
            resolved = self.resolved(property_schema)
            if resolved.get("readOnly") and (name not in required or not self.is_later):
                continue
            if name not in required and (variant == "required" or depth >= DEEPEST - 1):
                continue
            if depth > 3 * DEEPEST:
                raise NoValue("the object contains itself")
            try:
                result[name] = self.make(property_schema, variant, depth + 1, in_text)
            except NoValue:
                if name in required:
                    raise
        more = schema.get("additionalProperties")
        if variant in ("greatest", "odd") and depth < DEEPEST:
            if isinstance(more, dict) and more:
                names = ["key", "an odd/key"] if not in_text else ["key"]
                result.update({name: self.make(more, variant, depth + 1, in_text) for name in names})
            elif not properties and more is not False and not in_text:
                result.update({"key": "text", "number": 1, "list": [True, None]})
        for name in required - set(result):
            if self.resolved(properties.get(name)).get("readOnly"):
                continue
            result[name] = self.make({}, variant, depth + 1, in_text) if name not in properties else self.make(
                properties[name], variant, depth + 1, in_text)
        return result

    FORMATS = {
        "date-time": ("1999-12-31T23:59:59Z", "2038-01-19T03:14:08.125Z"),
        "date": ("1970-01-01", "2099-12-31"),
        "uuid": ("00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"),
        "uri": ("https://a.example", "https://a.example/b%20c?d=e&f=g#h"),
        "url": ("https://a.example", "https://a.example/b%20c?d=e&f=g#h"),
        "email": ("a@b.example", "a.b+c@d.example"),
        "hostname": ("a.example", "b-c.a.example"),
        "ipv4": ("0.0.0.0", "255.255.255.255"),
        "ipv6": ("::1", "2001:db8::ffff"),
        "time": ("00:00:00Z", "23:59:59Z"),
        "duration": ("PT0S", "P1DT2H3M4S"),
        "google-datetime": ("1999-12-31T23:59:59Z", "2038-01-19T03:14:08.125Z"),
        "google-duration": ("0s", "3.5s"),
        "google-fieldmask": ("a", "a,b.c"),
        "int64": ("-9223372036854775808", "9223372036854775807"),
        "uint64": ("0", "18446744073709551615"),
        "int32": ("-2147483648", "2147483647"),
        "decimal": ("0.01", "12345678901234567890.12"),
        "phone": ("+10", "+123456789012345"),
    }

    def string(self, schema, variant, in_text):
        least, greatest = schema.get("minLength") or 0, schema.get("maxLength")
        if schema.get("format") in ("byte", "base64url"):
            return base64.b64encode(bytes(range(256)) if variant in ("greatest", "odd") else b"abc").decode()
        if schema.get("pattern"):
            return matching(schema["pattern"], max(least, 1 if in_text else 0), greatest, variant in ("greatest", "odd"))
        pair = self.FORMATS.get(schema.get("format"))
        if pair:
            return pair[1 if variant in ("greatest", "odd") else 0]
        if schema.get("format") == "binary":
            return "bytes of a file"
        if variant == "odd":
            text = ODD * (-(-least // len(ODD)) or 1)
            return text[:greatest] if greatest is not None else text
        if variant == "greatest":
            return "z" * max(least, min(greatest if greatest is not None else 40, LONGEST))
        return "a" * max(least, min(1, greatest if greatest is not None else 1))


def matching(pattern, least, greatest, is_long):
    """A text that matches the pattern, as short or as long as it may be."""
    for count in ([3, 8, 1, 0, 20, 40] if is_long else [0, 1, 2, 3, 4, 8, 12, 16, 24, 36]):
        try:
            text = _matching(regex_parser.parse(pattern), count)
        except (re.error, NotImplementedError, OverflowError, ValueError) as error:
            raise NoValue(f"the pattern {pattern} cannot be read: {error}")
        if len(text) >= least and (greatest is None or len(text) <= greatest) and re.search(pattern, text):
            return text
    raise NoValue(f"no text of the right length matches {pattern}")


def _matching(tree, count):
    text = ""
    for kind, value in tree:
        if kind is regex.LITERAL:
            text += chr(value)
        elif kind is regex.NOT_LITERAL:
            text += "a" if value != ord("a") else "b"
        elif kind is regex.ANY:
            text += "a"
        elif kind is regex.IN:
            text += _one_of(value)
        elif kind in (regex.MAX_REPEAT, regex.MIN_REPEAT):
            least, greatest, inner = value
            times = max(least, min(count, LONGEST if greatest is regex.MAXREPEAT else greatest))
            text += "".join(_matching(inner, count) for _ in range(times))
        elif kind is regex.SUBPATTERN:
            text += _matching(value[-1], count)
        elif kind is regex.BRANCH:
            text += _matching(value[1][0], count)
        elif kind is regex.AT:
            continue
        else:
            raise NotImplementedError(str(kind))
    return text


def _one_of(choices):
    if choices and choices[0][0] is regex.NEGATE:
        excluded = "".join(_members(choices[1:]))
        return next(letter for letter in "a0_-.A" if letter not in excluded)
    return next(iter(_members(choices)))


def _members(choices):
    classes = {regex.CATEGORY_DIGIT: "0123456789", regex.CATEGORY_WORD: "aA0_", regex.CATEGORY_SPACE: " \t",
               regex.CATEGORY_NOT_SPACE: "a0", regex.CATEGORY_NOT_DIGIT: "a", regex.CATEGORY_NOT_WORD: "-"}
    for kind, value in choices:
        if kind is regex.LITERAL:
            yield chr(value)
        elif kind is regex.RANGE:
            yield from map(chr, range(value[0], min(value[1], 0x2FF) + 1))
        elif kind is regex.CATEGORY:
            yield from classes[value]
