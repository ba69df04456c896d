import Callsign
import Foundation
import PowerDNSKit

await Step.run { step in
  let dns = PowerDNS(auth: PowerDNS.apiKeyHeader("secret-key-1"), configuration: step.configuration)
  let server = "localhost"
  let zone = step.values[0]
  switch step.name {
  case "create":
    let new = PowerDNS.Zone(name: zone, kind: .native, nameservers: ["ns1.example.org."])
    try step.show(await dns.createZone(serverID: server, body: new).value)
  case "read":
    try step.show(await dns.listZone(serverID: server, zoneID: zone).value)
  case "list":
    try step.show(await dns.listZones(serverID: server).value)
  case "update":
    let records = [PowerDNS.Record(content: "192.0.2.1", disabled: false)]
    let set = PowerDNS.RRSet(name: "www." + zone, type: "A", ttl: 60, changetype: "REPLACE", records: records)
    _ = try await dns.patchZone(serverID: server, zoneID: zone, rrsets: [set])
  case "delete":
    _ = try await dns.deleteZone(serverID: server, zoneID: zone)
  case "download":
    step.show(Data(try await dns.axfrExportZone(serverID: server, zoneID: zone).value.utf8))
  case "error":
    let wrong = PowerDNS.Zone(name: "no dot", kind: .native, nameservers: [])
    _ = try await dns.createZone(serverID: server, body: wrong)
  default: throw UnknownStep(name: step.name)
  }
}
