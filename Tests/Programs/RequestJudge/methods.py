"""The methods of generated Swift, as a reader of the text finds them: labels, types, and the names on the wire."""

import base64
import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timezone


@dataclass
class Argument:
    label: str
    name: str
    type: str
    is_optional: bool


@dataclass
class Sending:
    """One line that puts an argument, or a constant, into the call."""
    place: str
    wire: str
    argument: str = None
    constant: object = None
    rest: str = ""


@dataclass
class Method:
    name: str
    verb: str
    base: str
    path: str
    arguments: list
    sendings: list = field(default_factory=list)
    returns: str = ""


def split_top(text, separator=","):
    """The parts between separators that are in no brackets."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += letter in "([{<"
        depth -= letter in ")]}>"
        if letter == separator and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return [part for part in parts + [current.strip()] if part]


def unquoted(literal):
    """The text of a Swift string literal of one line, without interpolation."""
    return json.loads('"' + re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda m: json.dumps(chr(int(m[1], 16)))[1:-1], literal)
                      .replace("\\'", "'") + '"')


LITERAL = r'"((?:[^"\\]|\\.)*)"'
ENDPOINT = re.compile(
    r"static let `?(\w+)Endpoint`? = Endpoint\(\s*" + r",\s*".join([LITERAL] * 4), re.S)
FUNCTION = re.compile(r"public func (`?\w+`?)\(")


def methods(text):
    """The methods in generated Swift that make one call each, by (verb, path)."""
    endpoints = {match[1]: [unquoted(part) for part in match.groups()[1:]] for match in ENDPOINT.finditer(text)}
    found = {}
    for match in FUNCTION.finditer(text):
        end, depth = match.end(), 1
        while depth:
            depth += text[end] == "("
            depth -= text[end] == ")"
            end += 1
        body = text[end:text.index("\n  }\n", end)]
        endpoint = re.search(r"Call\(Self\.`?(\w+)Endpoint`?, ", body)
        returns = body[:body.index("{")]
        if endpoint is None or endpoint[1] not in endpoints or "-> Pages<" in returns:
            continue
        _, verb, base, path = endpoints[endpoint[1]]
        method = Method(match[1], verb, base, path, [], returns=returns)
        for part in split_top(text[match.end():end - 1]):
            names, _, type_text = part.partition(":")
            label, *name = names.split()
            kind = split_top(type_text, "=")[0]
            argument = Argument(
                label.strip("`"), (name or [label])[0].strip("`"), kind.removesuffix("?"), kind.endswith("?"))
            if argument.type != "CallOptions":
                method.arguments.append(argument)
        names = {argument.name for argument in method.arguments}
        for line in re.finditer(r"^    call\.(\w+)\((.*)\)$", body, re.M):
            place, arguments = line[1], line[2]
            parts = split_top(arguments)
            if place == "body":
                method.sendings.append(Sending("body", "", argument=parts[0].strip("`"), rest=arguments))
                continue
            # `call.add("name", value, in: .query)`
            if place == "add" and (end := re.search(r", in: \.(\w+)$", arguments)):
                place, arguments = end[1], arguments[:end.start()]
            wire = re.match(LITERAL, arguments)
            if place not in ("path", "query", "header", "form", "json", "part", "cookie") or wire is None:
                continue
            rest = arguments[wire.end():].lstrip(", ")
            # `name`, `object: name`, `name.map { … }`, `DecimalText(name)`: the argument that is named first.
            words = [word for word in re.findall(r"\w+", rest) if word in names]
            sending = Sending(place, unquoted(wire[1]), rest=rest)
            if words and not re.match(LITERAL, rest):
                sending.argument = words[0]
            else:
                text_literal = re.match(LITERAL, rest)
                sending.constant = unquoted(text_literal[1]) if text_literal else split_top(rest)[0]
            method.sendings.append(sending)
        key = (verb, plain_path(path))
        if key not in found or "Response<" in returns and "Response<" not in found[key].returns:
            found[key] = method
    return found


def plain_path(path):
    """The path with the operators of RFC 6570 and what they write before a value taken out, and without what would be a
    query."""
    path = re.sub(r"\{[?&][^}]*\}", "", path)
    path = re.sub(r"\{[+#./;]?([^}]*?)\*?\}", r"{\1}", path)
    return re.sub(r"(\.|;([^/;{}]*=)?)(?=\{)", "", path)


class NoArgument(Exception):
    """A value that the argument's type has no place for."""


def swift(kind, value, rest):
    """The Swift expression of an argument of a type, made of a JSON value."""
    if kind.startswith("Nullable<"):
        return ".null" if value is None else f".value({swift(kind[9:-1], value, rest)})"
    if kind == "Date" or kind == "[Date]":
        if kind == "[Date]":
            return "[" + ", ".join(swift("Date", one, rest) for one in value) + "]"
        if ".seconds" in rest or ".milliseconds" in rest:
            seconds = float(value) / (1000 if ".milliseconds" in rest else 1)
        else:
            seconds = moment(value).timestamp()
        return f"Date(timeIntervalSince1970: {seconds!r})"
    if kind == "FilePart":
        text = base64.b64encode(str(value).encode()).decode()
        return f'FilePart(bytes("{text}"), fileName: "file.bin")'
    if kind == "[FilePart]":
        return "[" + ", ".join(swift("FilePart", one, rest) for one in value) + "]"
    if kind == "Data" and not rest.startswith("json:"):
        if not isinstance(value, str):
            raise NoArgument("the argument is the body's bytes, in a format of its own")
        return f'bytes("{base64.b64encode(str(value).encode()).decode()}")'
    if kind == "Duration" and re.search(r"\.(seconds|milliseconds)\b", rest):
        return f".{re.search(r'[.](seconds|milliseconds)', rest)[1]}({value!r})"
    if kind == "Duration" and ".protobuf" in rest:
        return f".seconds({float(value.rstrip('s'))!r})"
    if kind == "String" and not isinstance(value, str):
        raise NoArgument("the document has no plain text here, and the argument is one")
    text = json.dumps(value, ensure_ascii=True)
    hashes = "#" * 4
    return f"try value({kind}.self, {hashes}\"{text}\"{hashes})"


def moment(text):
    text = text.replace("Z", "+00:00")
    result = datetime.fromisoformat(text)
    return result if result.tzinfo else result.replace(tzinfo=timezone.utc)
