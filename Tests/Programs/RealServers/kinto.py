"""Kinto: a store of JSON records."""

import base64
import subprocess

from server import Server, same


class Kinto(Server):
    name = "Kinto"
    document_name = "kinto.json"
    environment = {"CALLSIGN_USERNAME": "ann", "CALLSIGN_PASSWORD": "pw"}
    # Its document does not describe credentials.
    call_options = ["--auth", "basic"]
    # The document names the port, which differs from run to run.
    package_options = ["--auth", "basic", "--server", "http://127.0.0.1/v1"]

    def headers(self):
        return {"Authorization": "Basic " + base64.b64encode(b"ann:pw").decode()}

    def install(self, seconds):
        self.install_python("kinto", seconds)

    def run(self):
        settings = self.folder / "kinto.ini"
        settings.unlink(missing_ok=True)
        subprocess.run(
            [self.program("kinto"), "init", "--backend", "memory", "--cache-backend", "memory", "--host", "127.0.0.1",
             "--ini", settings], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lines = settings.read_text().splitlines()
        lines = [line for line in lines if not line.startswith("kinto.bucket_create_principals")]
        main = lines.index("[app:main]")
        lines.insert(main + 1, "kinto.bucket_create_principals = system.Authenticated")
        settings.write_text("\n".join(lines) + "\n")
        self.start([self.program("kinto"), "start", "--ini", settings, "--port", self.port])
        self.wait("/v1/")
        # Nobody has an account yet.
        self.http("PUT", "/v1/accounts/ann", {"data": {"password": "pw"}}, headers={})
        for path in ["/v1/buckets/blog", "/v1/buckets/blog/collections/posts"]:
            status, body = self.http("PUT", path, {})
            if status >= 300:
                raise RuntimeError(f"{path}: {status} {body.decode()}")

    def document(self):
        return self.http("GET", "/v1/__api__")[1]

    def calls(self):
        place = ["bucket_id=blog", "collection_id=posts"]
        return {
            "create": ["create_record", *place, f'data:={{"id": "{self.mark}", "title": "A"}}'],
            "read": ["get_record", *place, f"id={self.mark}"],
            "list": ["get_records", *place],
            "update": ["patch_record", *place, f"id={self.mark}", 'data:={"title": "B"}'],
            "delete": ["delete_record", *place, f"id={self.mark}"],
            "error": ["get_record", *place, "id=none"],
        }

    @property
    def records(self):
        return "/v1/buckets/blog/collections/posts/records"

    def create(self, call):
        same(call("create")["data"], self.json(f"{self.records}/{self.mark}")["data"])

    def read(self, call):
        same(call("read"), self.json(f"{self.records}/{self.mark}"))

    def list(self, call):
        same(call("list"), self.json(self.records))

    def update(self, call):
        same(call("update")["data"]["title"], "B")
        same(self.json(f"{self.records}/{self.mark}")["data"]["title"], "B")

    def delete(self, call):
        call("delete")
        same(self.http("GET", f"{self.records}/{self.mark}")[0], 404)

    def error(self, call):
        words = call.refusal("error")
        assert "404 Not Found" in words, words
