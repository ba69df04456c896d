"""Chroma: a database of vectors."""

from server import Server, same

ROOT = "/api/v2/tenants/default_tenant/databases/default_database/collections"


class Chroma(Server):
    name = "Chroma"
    document_name = "chroma.json"
    # Its document demands a key. The server has none unless it is configured.
    call_options = ["--auth", "none"]

    def install(self, seconds):
        self.install_python("chromadb", seconds)

    def run(self):
        self.start([self.program("chroma"), "run", "--path", self.folder / "data", "--host", "127.0.0.1", "--port", self.port])
        self.wait("/api/v2/heartbeat")

    def collection(self):
        return self.json(f"{ROOT}/{self.mark}")

    def values(self):
        return [self.mark, self.id]

    def prepare(self):
        self.id = ""
        self.http("DELETE", f"{ROOT}/{self.mark}")

    def calls(self):
        place = ["tenant=default_tenant", "database=default_database"]
        one = [*place, f"collection_id={self.id}"]
        return {
            "create": ["create_collection", *place, f"name={self.mark}", 'metadata:={"kind": "a", "size": 3, "share": 0.5}'],
            "add": ["collection_add", *one, 'ids:=["a", "b"]', "embeddings:=[[1, 2, 3], [3, 2, 1.5]]",
                    'documents:=["one", "two"]', 'metadatas:=[{"n": 1, "f": 1.5, "s": "x", "b": true}, null]'],
            "read": ["collection_get", *one, 'include:=["embeddings", "documents", "metadatas"]'],
            "query": ["collection_query", *one, "query_embeddings:=[[1, 2, 3]]", "n_results=1"],
            "list": ["list_collections", *place],
            "update": ["update_collection", *one, 'new_metadata:={"kind": "b"}'],
            "delete": ["delete_collection", *place, f"collection_id={self.mark}"],
            "error": ["get_collection", *place, "collection_id=none"],
        }

    def create(self, call):
        made = call("create")
        same(made, self.collection())
        self.id = made["id"]
        call("add")
        same(self.json(f"{ROOT}/{self.id}/count"), 2)

    def read(self, call):
        wanted = {"include": ["embeddings", "documents", "metadatas"]}
        same(call("read"), self.json(f"{ROOT}/{self.id}/get", "POST", wanted))
        nearest = {"query_embeddings": [[1, 2, 3]], "n_results": 1}
        same(call("query"), self.json(f"{ROOT}/{self.id}/query", "POST", nearest))

    def list(self, call):
        same(call("list"), self.json(ROOT))

    def update(self, call):
        call("update")
        same(self.collection()["metadata"], {"kind": "b"})

    def delete(self, call):
        call("delete")
        same(self.http("GET", f"{ROOT}/{self.mark}")[0], 404)

    def error(self, call):
        words = call.refusal("error")
        said = self.json(f"{ROOT}/none")["message"]
        assert said in words, f"{words} lacks {said}"
