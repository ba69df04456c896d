"""PowerDNS: a name server with an API for its zones."""

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

from server import NotInstalled, Server, free_port, same

PROGRAM = "/usr/sbin/pdns_server"
# A zone's name ends in a dot.
WRONG = {"name": "no dot", "kind": "Native", "nameservers": []}


def documented(zone):
    """A zone without the member that the document does not have, so that no typed value has it."""
    return {name: value for name, value in zone.items() if name != "last_check"}


class PowerDNS(Server):
    name = "PowerDNS"
    document_name = "powerdns.yaml"
    environment = {"CALLSIGN_KEY_API_KEY_HEADER": "secret-key-1"}
    # The document says that an export is JSON, a string. It is an object if a request accepts JSON, and else plain text.
    overlay = "endpoints:\n  axfrExportZone: {accept: text/plain}\n"

    def headers(self):
        return {"X-API-Key": "secret-key-1"}

    def install(self, seconds):
        if Path(PROGRAM).exists():
            return
        if not shutil.which("apt-get") or os.geteuid() != 0:
            raise NotInstalled("it is a package of Debian's; install pdns-server and pdns-backend-sqlite3")
        # Installing must not start a name server of the system.
        environment = {**os.environ, "RUNLEVEL": "1", "DEBIAN_FRONTEND": "noninteractive"}
        command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "pdns-server", "pdns-backend-sqlite3"]
        try:
            # An installation that is interrupted would leave the system in disorder; only the download has a limit.
            done = subprocess.run(
                [*command, "--download-only"], capture_output=True, text=True, env=environment, timeout=seconds)
            if done.returncode == 0:
                done = subprocess.run(command, capture_output=True, text=True, env=environment)
        except subprocess.TimeoutExpired:
            raise NotInstalled(f"apt-get takes longer than {seconds} s") from None
        if done.returncode != 0:
            raise NotInstalled(f"apt-get failed: {done.stderr.strip()[-300:]}")

    def run(self):
        zones = self.folder / "zones.db"
        zones.unlink(missing_ok=True)
        schema = Path("/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql").read_text()
        with sqlite3.connect(zones) as database:
            database.executescript(schema)
        (self.folder / "pdns.conf").write_text("\n".join([
            "local-address=127.0.0.1", f"local-port={free_port()}", "launch=gsqlite3", f"gsqlite3-database={zones}",
            "gsqlite3-dnssec=yes", "api=yes", "api-key=secret-key-1", "webserver=yes", "webserver-address=127.0.0.1",
            f"webserver-port={self.port}", "webserver-allow-from=127.0.0.1", f"socket-dir={self.folder}", "daemon=no",
            "guardian=no", "setuid=", "setgid=", ""]))
        self.start([PROGRAM, f"--config-dir={self.folder}"])
        self.wait("/api/docs")

    def document(self):
        return self.http("GET", "/api/docs")[1]

    @property
    def zone(self):
        return f"{self.mark}.example.org."

    def values(self):
        return [self.zone]

    @property
    def zones(self):
        return "/api/v1/servers/localhost/zones"

    def calls(self):
        place = ["server_id=localhost"]
        one = [*place, f"zone_id={self.zone}"]
        return {
            "create": ["createZone", *place, "body:=" + json.dumps(
                {"name": self.zone, "kind": "Native", "nameservers": ["ns1.example.org."]})],
            "read": ["listZone", *one],
            "list": ["listZones", *place],
            "update": ["patchZone", *one, "rrsets:=" + json.dumps([{
                "name": f"www.{self.zone}", "type": "A", "ttl": 60, "changetype": "REPLACE",
                "records": [{"content": "192.0.2.1", "disabled": False}]}])],
            "delete": ["deleteZone", *one],
            "download": ["axfrExportZone", *one, "--raw"],
            "error": ["createZone", *place, "body:=" + json.dumps(WRONG)],
        }

    def create(self, call):
        same(call("create")["id"], self.zone)
        same(self.http("GET", f"{self.zones}/{self.zone}")[0], 200)

    def read(self, call):
        same(documented(call("read")), documented(self.json(f"{self.zones}/{self.zone}")))

    def list(self, call):
        same([documented(zone) for zone in call("list")], [documented(zone) for zone in self.json(self.zones)])

    def update(self, call):
        call("update")
        names = [one["name"] for one in self.json(f"{self.zones}/{self.zone}")["rrsets"]]
        assert f"www.{self.zone}" in names, names

    def delete(self, call):
        call("delete")
        same(self.http("GET", f"{self.zones}/{self.zone}")[0], 404)

    def download(self, call):
        same(call.bytes("download").decode().split(), self.http("GET", f"{self.zones}/{self.zone}/export")[1].decode().split())

    def error(self, call):
        words = call.refusal("error")
        said = self.json(self.zones, "POST", WRONG)["error"]
        assert said[:40] in words, f"{words} lacks {said}"
