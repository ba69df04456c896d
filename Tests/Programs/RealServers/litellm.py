"""LiteLLM: a proxy for language models. Its model is a mock, and its files are kept by a stand-in for the provider."""

import email
import email.policy
import http.server
import json
import secrets
import threading
import urllib.parse

from server import Server, same

CONTENT = "A file with a line end,\r\nan umlaut: ü, and nothing after it.".encode()
MESSAGES = [{"role": "user", "content": "Say hello."}]


class Provider(http.server.BaseHTTPRequestHandler):
    """Keeps files as OpenAI's API does."""

    protocol_version = "HTTP/1.1"
    files = {}

    def respond(self, status, body, media_type="application/json"):
        if media_type == "application/json":
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts = {part.get_param("name", header="content-disposition"): part
                 for part in email.message_from_bytes(head + content, policy=email.policy.HTTP).iter_parts()}
        content = parts["file"].get_payload(decode=True)
        file = {"id": f"file-{len(self.files) + 1}", "object": "file", "bytes": len(content), "created_at": 1767225600,
                "filename": parts["file"].get_filename(), "purpose": parts["purpose"].get_payload(), "status": "processed"}
        self.files[file["id"]] = (file, content)
        self.respond(200, file)

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path).path.strip("/").split("/")
        file, content = self.files.get(parts[1] if len(parts) > 1 else "", (None, b""))
        if parts == ["files"]:
            self.respond(200, {"object": "list", "data": [file for file, _ in self.files.values()], "has_more": False})
        elif not file:
            self.respond(404, {"error": {"message": "No such file", "type": "invalid_request_error"}})
        elif parts[2:] == ["content"]:
            self.respond(200, content, "application/octet-stream")
        else:
            self.respond(200, file)

    def do_DELETE(self):
        name = self.path.strip("/").split("/")[1]
        gone = self.files.pop(name, None)
        self.respond(200 if gone else 404, {"id": name, "object": "file", "deleted": gone is not None})

    def log_message(self, *_):
        pass


class LiteLLM(Server):
    name = "LiteLLM"
    document_name = "litellm.json"
    id = "none"

    def __init__(self, folder):
        super().__init__(folder)
        self.key = "sk-" + secrets.token_hex(24)
        self.environment = {"CALLSIGN_KEY_API_KEY_HEADER": self.key}
        self.provider = None

    def headers(self):
        return {"Authorization": f"Bearer {self.key}"}

    def install(self, seconds):
        self.install_python("litellm[proxy]", seconds)

    def run(self):
        self.provider = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
        threading.Thread(target=self.provider.serve_forever, daemon=True).start()
        api = f"http://127.0.0.1:{self.provider.server_port}"
        settings = self.folder / "config.yaml"
        # JSON is YAML, too.
        settings.write_text(json.dumps({
            "model_list": [{"model_name": "mock", "litellm_params": {
                "model": "openai/mock", "api_key": "none", "api_base": api, "mock_response": "Hello from the mock."}}],
            "files_settings": [{"custom_llm_provider": "openai", "api_base": api, "api_key": "none"}],
            "general_settings": {"master_key": self.key},
        }))
        # LiteLLM also looks for Python modules two folders above the working directory.
        place = self.folder / "run" / "proxy"
        place.mkdir(parents=True, exist_ok=True)
        self.start(
            [self.program("litellm"), "--config", settings, "--host", "127.0.0.1", "--port", self.port],
            {"LITELLM_TELEMETRY": "False", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}, place)
        self.wait("/health/liveliness")
        (self.folder / "notes.txt").write_bytes(CONTENT)

    def stop(self):
        super().stop()
        if self.provider:
            self.provider.shutdown()
            self.provider.server_close()

    def prepare(self):
        self.id = "none"

    def values(self):
        return [self.id, self.folder / "notes.txt"]

    def calls(self):
        chat = ["chat_completion_v1_chat_completions_post", f"messages:={json.dumps(MESSAGES)}"]
        file = f"file_id={self.id}"
        return {
            "create": [*chat, "model=mock"],
            "read": ["model_info_v1_models__model_id__get", "model_id=mock"],
            "list": ["model_list_v1_models_get"],
            "upload": ["create_file_v1_files_post", f"file={self.folder / 'notes.txt'}", "purpose=user_data"],
            "files": ["list_files_v1_files_get"],
            "download": ["get_file_content_v1_files__file_id__content_get", file],
            "stream": [*chat, "model=mock", "stream:=true"],
            "error": [*chat, "model=unknown"],
            "delete": ["delete_file_v1_files__file_id__delete", file],
        }

    def chat(self, model):
        return self.json("/v1/chat/completions", "POST", {"model": model, "messages": MESSAGES})

    def create(self, call):
        # Each completion has another id and time.
        made, plain = call("create"), self.chat("mock")
        same(sorted(made), sorted(plain))
        same(made["choices"], plain["choices"])

    def read(self, call):
        same(call("read"), self.json("/v1/models/mock"))

    def list(self, call):
        same(call("list"), self.json("/v1/models"))

    def upload(self, call):
        made = call("upload")
        same(made, self.json(f"/v1/files/{made['id']}"))
        same((made["bytes"], made["filename"]), (len(CONTENT), "notes.txt"))
        self.id = made["id"]
        same(call("files"), self.json("/v1/files"))

    def download(self, call):
        same(call.bytes("download"), self.http("GET", f"/v1/files/{self.id}/content")[1])

    def stream(self, call):
        events = [event["data"] for event in call.lines("stream")]
        same(events.pop(), "[DONE]")
        text = "".join(event["choices"][0]["delta"].get("content") or "" for event in events)
        assert len(events) > 2, "the text did not come in pieces"
        same(text, self.chat("mock")["choices"][0]["message"]["content"])

    def error(self, call):
        words = call.refusal("error")
        said = self.chat("unknown")["error"]["message"]
        assert said[:60] in words, f"{words} lacks {said}"

    def delete(self, call):
        same(call("delete")["deleted"], True)
        assert self.http("GET", f"/v1/files/{self.id}")[0] >= 400
