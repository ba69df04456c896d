import Callsign
import CallsignAuth
import KintoKit

await Step.run { step in
  let kinto = Kinto(auth: .basic(username: "ann", password: "pw"), configuration: step.configuration)
  let (bucket, collection) = ("blog", "posts")
  let id = step.values[0]
  switch step.name {
  case "create":
    try step.show(
      await kinto.createRecord(
        bucketID: bucket, collectionID: collection, data: ["id": .string(id), "title": "A"]
      ).value)
  case "read":
    try step.show(await kinto.getRecord(bucketID: bucket, collectionID: collection, id: id).value)
  case "list":
    try step.show(await kinto.getRecords(bucketID: bucket, collectionID: collection).value)
  case "update":
    try step.show(
      await kinto.patchRecord(bucketID: bucket, collectionID: collection, id: id, data: ["title": "B"]).value)
  case "delete":
    try step.show(await kinto.deleteRecord(bucketID: bucket, collectionID: collection, id: id).value)
  case "error":
    try step.show(await kinto.getRecord(bucketID: bucket, collectionID: collection, id: "none").value)
  default: throw UnknownStep(name: step.name)
  }
}
