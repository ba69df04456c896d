import Callsign
import Foundation
import PrefectKit

await Step.run { step in
  let prefect = Prefect(auth: .none, configuration: step.configuration)
  let name = step.values[0]
  let id = try step.uuid(1)
  let run = try step.uuid(2)
  switch step.name {
  case "create":
    try step.show(
      await prefect.createFlow(
        name: name, tags: ["a", "b"],
        labels: .value(["n": .int(1), "f": .number(1.5), "b": .bool(true), "s": .string("x")])
      ).value)
  case "read":
    try step.show(await prefect.readFlow(id: id).value)
  case "list":
    let flows = Prefect.FlowFilter(name: .value(Prefect.FlowFilterName(any: .value([name]))))
    try step.show(await prefect.readFlows(flows: flows, sort: .createdDesc).value)
  case "update":
    _ = try await prefect.updateFlow(id: id, tags: ["c"])
  case "upload":
    let content = try String(contentsOfFile: step.values[3], encoding: .utf8)
    _ = try await prefect.createFlowRunInput(id: run, key: name, value: content)
  case "write":
    let record = Prefect.LogCreate(
      name: "try", level: 20, message: "one line, with \"quotes\"",
      timestamp: Date(timeIntervalSince1970: 1_767_323_045.123456),
      flowRunID: .value(run))
    _ = try await prefect.createLogs(body: [record])
  case "download":
    try await step.show(prefect.downloadLogs(id: run).value)
  case "late":
    try step.show(await prefect.averageFlowRunLateness().value)
  case "missing":
    try step.show(await prefect.readFlow(id: UUID()).value)
  case "error":
    try step.show(await prefect.readFlows(limit: 100_000).value)
  case "delete":
    _ = try await prefect.deleteFlow(id: id)
  default: throw UnknownStep(name: step.name)
  }
}
