"""Prefect: a server that runs workflows, whose document FastAPI writes."""

import json

from server import Server, same

MISSING = "11111111-1111-4111-8111-111111111111"
# Names that a flow can have are checked before a call is sent; how many a list may have is not in the document.
TOO_MANY = 100000
WRITTEN = 'one line, with "quotes"'
CONTENT = b'{"answer": 42}'


class Prefect(Server):
    name = "Prefect"
    document_name = "prefect.json"
    path = "/api"
    id = run_id = MISSING

    def install(self, seconds):
        self.install_python("prefect", seconds)

    def run(self):
        self.start(
            [self.program("prefect"), "server", "start", "--host", "127.0.0.1", "--port", self.port, "--no-ui"],
            {"PREFECT_HOME": str(self.folder / "data"), "PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1"})
        self.wait("/api/health")
        (self.folder / "input").write_bytes(CONTENT)

    def prepare(self):
        """Makes a run of a flow, because only runs have files."""
        status, body = self.http("GET", f"/api/flows/name/{self.mark}")
        if status == 200:
            self.http("DELETE", f"/api/flows/{json.loads(body)['id']}")
        other = self.json("/api/flows/", "POST", {"name": f"{self.mark}-run"})["id"]
        self.run_id = self.json("/api/flow_runs/", "POST", {"flow_id": other})["id"]
        self.id = MISSING

    def values(self):
        return [self.mark, self.id, self.run_id, self.folder / "input"]

    def calls(self):
        record = {"name": "try", "level": 20, "message": WRITTEN, "timestamp": "2026-01-02T03:04:05.123456Z",
                  "flow_run_id": self.run_id}
        return {
            "create": ["create_flow", f"name={self.mark}", "tags=a,b", 'labels:={"n": 1, "f": 1.5, "b": true, "s": "x"}'],
            "read": ["read_flow", f"id={self.id}"],
            "list": ["read_flows", 'flows:={"name": {"any_": ["' + self.mark + '"]}}', "sort=CREATED_DESC"],
            "update": ["update_flow", f"id={self.id}", "tags=c"],
            "upload": ["create_flow_run_input", f"id={self.run_id}", f"key={self.mark}", f"value={CONTENT.decode()}"],
            "write": ["create_logs", f"body:={json.dumps([record])}"],
            "download": ["download_logs", f"id={self.run_id}"],
            "late": ["average_flow_run_lateness"],
            "missing": ["read_flow", f"id={MISSING}"],
            "error": ["read_flows", f"limit={TOO_MANY}"],
            "delete": ["delete_flow", f"id={self.id}"],
        }

    def create(self, call):
        made = call("create")
        same(made, self.json(f"/api/flows/name/{self.mark}"))
        self.id = made["id"]

    def read(self, call):
        same(call("read"), self.json(f"/api/flows/{self.id}"))
        same(call("late"), self.json("/api/flow_runs/lateness", "POST", {}))

    def list(self, call):
        wanted = {"flows": {"name": {"any_": [self.mark]}}, "sort": "CREATED_DESC"}
        listed = call("list")
        same(len(listed), 1)
        same(listed, self.json("/api/flows/filter", "POST", wanted))

    def update(self, call):
        call("update")
        same(self.json(f"/api/flows/{self.id}")["tags"], ["c"])

    def upload(self, call):
        call("upload")
        same(self.http("GET", f"/api/flow_runs/{self.run_id}/input/{self.mark}")[1].decode(), CONTENT.decode())

    def download(self, call):
        """A CSV file, which the document says is JSON without a schema."""
        call("write")
        rows = call.bytes("download").decode()
        assert '"one line, with ""quotes"""' in rows, rows
        same(rows.split(), self.http("GET", f"/api/flow_runs/{self.run_id}/logs/download")[1].decode().split())

    def error(self, call):
        for step, said in [
                ("missing", self.json(f"/api/flows/{MISSING}")["detail"]),
                ("error", self.json("/api/flows/filter", "POST", {"limit": TOO_MANY})["detail"])]:
            words = call.refusal(step)
            assert said in words, f"{words} lacks {said}"

    def delete(self, call):
        call("delete")
        same(self.http("GET", f"/api/flows/{self.id}")[0], 404)
