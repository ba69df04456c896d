"""Judges recorded requests by an OpenAPI document: `openapi-core` reads them, and what it reads is compared with the arguments."""

import base64
import copy
import json
import re
import warnings
from functools import partial
from datetime import date, datetime
from email.parser import BytesParser
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.templating.datatypes import TemplateResult
from openapi_core.templating.paths.datatypes import PathOperationServer
from openapi_core.validation.request.exceptions import MissingRequiredRequestBody
from werkzeug.datastructures import Headers, ImmutableMultiDict

from cases import OWN_HEADERS
from methods import moment
from values import NoValue, Values, WORDS

warnings.simplefilter("ignore")


def parts_of(kinds, value, **parameters):
    """The parts of a multipart body, read by Python's own parser of MIME: files as bytes, others as text, numbers or flags.

    In place of openapi-core's reader, which takes any line break within a part for one of the format's own, and makes no
    numbers and flags of parts."""
    head = f'Content-Type: multipart/form-data; boundary="{parameters.get("boundary", "")}"\r\n\r\n'
    message = BytesParser().parsebytes(head.encode() + value)
    parts = []
    cast = {"integer": int, "number": float, "boolean": lambda text: {"true": True, "false": False}.get(text, text)}
    for part in message.get_payload():
        content = part.get_payload(decode=True)
        name = part.get_param("name", header="content-disposition")
        if part.get_filename() is None:
            content = cast.get(kinds.get(name), str)(content.decode())
        parts.append((name, content))
    return ImmutableMultiDict(parts)


def fields_of(kinds, value, **parameters):
    """The fields of a form. The elements of a list of objects are read as JSON here, as openapi-core cannot."""
    pairs = parse_qsl(value.decode(), keep_blank_values=True)
    return ImmutableMultiDict([
        (name, json.loads(text) if kinds.get(name) == "array of object" else text) for name, text in pairs])


def kinds_of_fields(media, values):
    """The kinds of the members of a form or multipart body: "integer", "array of object"."""
    result = {}
    for variant in ("least", "greatest"):
        try:
            for name, schema in (values.flat(media.get("schema") or {}, variant).get("properties") or {}).items():
                schema = values.flat(schema, "least")
                result[name] = values.kind(schema)
                if result[name] == "array":
                    result[name] = f"array of {values.kind(values.flat(schema.get('items') or {}, 'least'))}"
        except NoValue:
            pass
    return result


FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
STYLES = {"path": ("simple", "label", "matrix"), "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
          "header": ("simple",), "cookie": ("form",)}


class KnownOperation:
    """The operation that a case has called, in place of openapi-core's search for it, which cannot read servers whose
    variables have slashes, nor reserved characters in a path. That the URL is the operation's is judged by `path_values`."""

    path, verb = None, None

    def __init__(self, spec, base_url=None):
        self.spec = spec

    def find(self, method, name):
        path = self.spec / "paths" / self.path
        return PathOperationServer(path, path / self.verb, None, TemplateResult(self.path, {}), None)


def formats(value):
    """The formats that a document names."""
    if isinstance(value, dict):
        if isinstance(value.get("format"), str):
            yield value["format"]
        value = value.values()
    elif not isinstance(value, list):
        return
    for inner in value:
        yield from formats(inner)


class Request:
    """A recorded request, as openapi-core wants it."""

    def __init__(self, line):
        parts = urlsplit(line["path"])
        self.host_url = f"{line['scheme']}://{line['authority']}"
        self.path = parts.path
        self.method = line["method"].lower()
        self.body = base64.b64decode(line.get("body", "")) or None
        headers = Headers([tuple(pair) for pair in line["headers"]])
        self.content_type = headers.get("content-type", "")
        # Without `charset`, which the document's media types do not have.
        cookies = [pair.strip().partition("=")[::2] for pair in headers.get("cookie", "").split(";") if pair.strip()]
        self.pairs = parse_qsl(parts.query, keep_blank_values=True)
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(self.pairs), header=headers,
            cookie=ImmutableMultiDict([(name, unquote(value)) for name, value in cookies]))


def judged_document(document, base):
    """The document as openapi-core is to read it: without what is asked of credentials, which the calls have none of, and
    with the server that the importer was given where the document names none."""
    result = copy.deepcopy(document)
    result.pop("security", None)
    mend_words(result)
    items = [item for item in (result.get("paths") or {}).values() if isinstance(item, dict)]
    for item in items:
        for operation in item.values():
            if isinstance(operation, dict):
                operation.pop("security", None)
    if base:
        result["servers"] = [{"url": base}]
    parameters = list(((result.get("components") or {}).get("parameters") or {}).values())
    for item in items:
        for one in [item, *item.values()]:
            parameters += one.get("parameters") or [] if isinstance(one, dict) else []
    for parameter in parameters:
        if not isinstance(parameter, dict) or "$ref" in parameter:
            continue
        # OpenAPI says that such a parameter is to be ignored.
        if parameter.get("in") == "header" and str(parameter.get("name")).lower() in OWN_HEADERS:
            parameter["required"] = False
        if "schema" not in parameter and "content" not in parameter:  # as in Swagger 2.0
            parameter["schema"] = {
                key: parameter[key] for key in ("type", "format", "enum", "items") if key in parameter}
        # A style that its place does not have, such as `matrix` in a query, is as good as none.
        if parameter.get("style") not in STYLES.get(parameter.get("in"), ()):
            parameter.pop("style", None)
        # A schema that responses share may be one that is only read, and a default that is not valid may stand in it.
        if "schema" in parameter:
            schema = {**Values(result).resolved(parameter["schema"]), "readOnly": False}
            schema.pop("default", None)
            parameter["schema"] = schema
    for content in contents(result):
        # A body of any type at all is of the type that was sent.
        if "*/*" in content:
            content["application/json"] = content.pop("*/*")
        for media_type in list(content):  # JSON has no character sets, and openapi-core compares texts
            content.setdefault(media_type.split(";")[0].strip(), content[media_type])
    result["paths"] = {plain(path): item for path, item in (result.get("paths") or {}).items()}
    return result


def mend_words(value):
    """Puts the type that a word such as `int32` means in its place, as the importer does."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    for name, inner in list(value.items()) if isinstance(value, dict) else ():
        if name == "type" and isinstance(inner, str):
            value[name] = WORDS.get(inner, inner)
        else:
            mend_words(inner)


def contents(document):
    """The `content` of every request body."""
    if isinstance(document, list):
        document = dict(enumerate(document))
    for name, value in document.items() if isinstance(document, dict) else ():
        if name == "requestBody" and isinstance(value, dict) and isinstance(value.get("content"), dict):
            yield value["content"]
        elif name == "requestBodies" and isinstance(value, dict):
            yield from (one["content"] for one in value.values() if isinstance(one.get("content"), dict))
        else:
            yield from contents(value)


def plain(path):
    return re.sub(r"\{\+?([^}]*?)\*?\}", r"{\1}", re.sub(r"\{[?&][^}]*\}", "", path))


class Judge:
    def __init__(self, document, base):
        self.document = judged_document(document, base)
        self.readers = {media_type: None for media_type in FORMS}
        # openapi-core would make other values of some formats, and refuses some that it does not know.
        self.finder = type("Finder", (KnownOperation,), {})
        config = Config(
            spec_validator_cls=None, path_finder_cls=self.finder,
            extra_format_unmarshallers=dict.fromkeys(formats(document), lambda value: value),
            extra_media_type_deserializers=self.readers)
        values, form = Values(self.document), "application/x-www-form-urlencoded"
        for content in contents(self.document):
            for media_type in content:
                if media_type.endswith(("+json", "/json")):
                    self.readers[media_type] = lambda value, **parameters: json.loads(value)
            # openapi-core reads no forms by the parts of `allOf` that do not say that they are objects.
            for media_type in set(FORMS) & set(content):
                schema = values.resolved(content[media_type].get("schema") or {})
                if "allOf" in schema and not {"oneOf", "anyOf"} & set(schema):
                    content[media_type]["schema"] = {"type": "object", **values.flat(schema, "least")}
            # Objects in a form are JSON where the document says nothing else (OpenAPI 3.1.1, §4.8.15.1.2), which
            # openapi-core does not know.
            for name, kind in kinds_of_fields(content.get(form) or {}, values).items():
                if kind == "object" and name not in (content[form].get("encoding") or {}):
                    content[form].setdefault("encoding", {})[name] = {"contentType": "application/json"}
        self.api = OpenAPI.from_dict(self.document, config=config)

    def prepare(self, case):
        """Makes readers of forms and parts that know the kinds of this operation's members."""
        item = self.document["paths"].get(plain(case.path)) or {}
        values = Values(self.document)
        content = values.resolved((item.get(case.verb) or {}).get("requestBody") or {}).get("content") or {}
        for media_type in FORMS:
            kinds = kinds_of_fields(content.get(media_type) or {}, values)
            read = parts_of if media_type.startswith("multipart") else fields_of
            self.readers[media_type] = partial(read, kinds)

    def problems(self, case, line):
        """What is wrong with the request that a case's call has made."""
        if "problem" in line:
            return [f"nothing was sent: {line['problem']}"]
        request = Request(line)
        if request.method != case.verb:
            return [f"the method is {request.method}"]
        found = []
        self.prepare(case)
        self.finder.path, self.finder.verb = plain(case.path), case.verb
        values = path_values(self.document, plain(case.path), request.host_url + request.path)
        if values is None:
            found.append(f"the path {request.path} at {request.host_url} is not {case.path} at one of the servers")
        else:
            request.parameters.path = values
        result = self.unmarshalled(request, found)
        if result is None:
            return found
        for error in result.errors:
            # A form without fields is an empty body.
            is_empty_form = case.expected.get("body") == {} and case.media_type in FORMS
            if not (is_empty_form and isinstance(error, MissingRequiredRequestBody)):
                found.append(described(error))
        if not found:
            found += self.differences(case, request, result)
        return found

    def unmarshalled(self, request, found):
        try:
            return self.api.unmarshal_request(request)
        except Exception as error:  # whatever a reader may fail by is a finding, and told as it is
            found.append(described(error))
            return None

    def differences(self, case, request, result):
        found = []
        for place in ("path", "query", "header", "cookie"):
            read = getattr(result.parameters, place)
            for name, value in case.expected.get(place, {}).items():
                if name in read:
                    same, got = alike(value, read[name]), read[name]
                elif value in ({}, []):
                    continue
                elif place == "query" and isinstance(value, dict):
                    # An exploded object: each member is a parameter, which openapi-core does not read.
                    got = {member: [text for one, text in request.pairs if one == member] for member in value}
                    got = {member: texts if isinstance(value[member], list) else "".join(texts)
                           for member, texts in got.items()}
                    same = alike(value, got)
                else:
                    same, got = False, "nothing"
                if not same:
                    found.append(f"{place} {name}: {value!r} became {got!r}")
            sent = {"query": {name for name, _ in request.pairs}, "header": request.parameters.header}.get(place, read)
            for name in set(read) - set(case.expected.get(place, {})):
                if name not in sent or place == "header" and name.lower() in OWN_HEADERS:
                    # The document's default, which openapi-core fills in, or what the client sends by itself.
                    continue
                found.append(f"{place} {name}: {read[name]!r} was sent, and no argument was given")
        sent = {name for name, _ in request.pairs}
        known = self.query_names(case)
        for name in sent - known:
            if not any(name.startswith(f"{one}[") or name.startswith(f"{one}.") for one in known):
                found.append(f"query {name}: the document has no such parameter")
        if "body" in case.expected:
            found += self.body_differences(case, request, result)
        elif request.body and request.body not in (b"{}",):
            found.append(f"a body was sent that no argument has: {request.body[:80]!r}")
        return found

    def query_names(self, case):
        names = set()
        for name, value in case.expected.get("query", {}).items():
            names |= {name, f"{name}[]"} | (set(value) if isinstance(value, dict) else set())
        return names

    def body_differences(self, case, request, result):
        value = case.expected["body"]
        media_type = request.content_type.split(";")[0].strip().lower()
        if request.body is None and value not in ({}, "", None):
            return [f"no body was sent for {value!r}"[:200]]
        if media_type.endswith("json"):
            read = json.loads(request.body)
            return [] if alike(value, read) else [f"body: {shown(value)} became {shown(read)}"]
        if media_type in ("application/x-www-form-urlencoded", "multipart/form-data"):
            found = []
            for name, member in (value if isinstance(value, dict) else {}).items():
                read = (result.body or {}).get(name)
                if not alike(member, read) and member not in ([], {}, None):
                    found.append(f"body {name}: {shown(member)} became {shown(read)}")
            return found
        body = request.body or b""
        return [] if body == str(value).encode() else [f"body: {value!r} became {body[:80]!r}"]


def path_values(document, path, url):
    """The decoded values of the path's parameters, by RFC 6570; `None` where the URL is not the path below a server."""
    item = document["paths"].get(path) or {}
    own = [one["servers"] for one in [item, *item.values()] if isinstance(one, dict) and one.get("servers")]
    servers = (own[0] if own else []) + (document.get("servers") or [])
    for server in servers:
        # A client leaves the scheme's own port out.
        base = re.sub(r"^(https://[^/:]+):443(?=/|$)|^(http://[^/:]+):80(?=/|$)", r"\1\2", server["url"].rstrip("/"))
        pattern = re.escape(base + path).replace(r"\{", "{").replace(r"\}", "}")
        names = {}

        def placeholder(match):
            key = f"g{len(names)}"
            names[key] = match[1].replace("\\", "")
            return f"(?P<{key}>[^?#]+?)"

        pattern = re.sub(r"\{([^}]*)\}", placeholder, pattern)
        if base.startswith("http:"):
            pattern = "https?" + pattern[4:]
        if not re.match(r"https?\??:|\(", pattern):
            pattern = r"https?://[^/]+" + pattern
        match = re.fullmatch(pattern, url)
        if match:
            own_names = re.findall(r"\{([^}]*)\}", path)
            texts = {name: unquote(match[key]) for key, name in names.items() if name in own_names}
            # openapi-core looks for the styles label and matrix under the names that RFC 6570 would have in the template.
            return {f"{sign}{name}{more}": text for name, text in texts.items()
                    for sign in ("", ".", ";") for more in ("", "*")}
    return None


def described(error):
    text = str(error)
    cause = error.__cause__
    while cause is not None:
        text += f" <- {cause}"
        for inner in getattr(cause, "schema_errors", None) or []:
            text += f" <- {'/'.join(map(str, inner.absolute_path))}: {inner.message}"
        cause = cause.__cause__
    return re.sub(r"\s+", " ", text)[:500]


def shown(value):
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) < 300 else text[:300] + "…"


def alike(given, read):
    """Whether what was read is what was given; times and numbers count by what they mean."""
    if isinstance(read, bytes):
        read = read.decode("utf-8", "surrogateescape")
    if isinstance(given, dict):
        return isinstance(read, dict) and all(name in read and alike(value, read[name]) for name, value in given.items())
    if isinstance(given, list):
        return isinstance(read, list) and len(given) == len(read) and all(map(alike, given, read))
    if isinstance(given, bool) or isinstance(read, bool):
        return given is read or str(given).lower() == str(read)
    if isinstance(given, (int, float)):
        if isinstance(read, str):
            try:
                read = float(read) if isinstance(given, float) else int(read)
            except ValueError:
                return False
        # openapi-core reads what the document calls a number as one of 64 bits, whatever its format.
        return isinstance(read, (int, float)) and (given == read or isinstance(read, float) and float(given) == read)
    if isinstance(read, (date, datetime)):
        read = read.isoformat()
    if isinstance(given, str) and isinstance(read, str) and given != read:
        if given.lower() == read.lower() and re.fullmatch(r"[0-9a-fA-F-]{36}", given):
            return True
        try:
            return moment(given) == moment(read) and len(given) >= 10
        except ValueError:
            return False
    return given == read
