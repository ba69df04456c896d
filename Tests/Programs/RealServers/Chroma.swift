import Callsign
import ChromaKit

await Step.run { step in
  let chroma = Chroma(auth: .standIn, configuration: step.configuration)
  let (tenant, database) = ("default_tenant", "default_database")
  let (name, id) = (step.values[0], step.values[1])
  switch step.name {
  case "create":
    try step.show(
      await chroma.createCollection(
        tenant: tenant, database: database, name: name,
        metadata: .value(["kind": .string("a"), "size": .int(3), "share": .number(0.5)])
      ).value)
  case "add":
    try step.show(
      await chroma.collectionAdd(
        tenant: tenant, database: database, collectionID: id, embeddings: .numberListList([[1, 2, 3], [3, 2, 1.5]]),
        ids: ["a", "b"], documents: .value(["one", "two"]),
        metadatas: .value([.value(["n": .int(1), "f": .number(1.5), "s": .string("x"), "b": .bool(true)]), .null])
      ).value)
  case "read":
    try step.show(
      await chroma.collectionGet(
        tenant: tenant, database: database, collectionID: id, include: [.embeddings, .documents, .metadatas]
      ).value)
  case "query":
    try step.show(
      await chroma.collectionQuery(
        tenant: tenant, database: database, collectionID: id, queryEmbeddings: [[1, 2, 3]], nResults: 1
      ).value)
  case "list":
    try step.show(await chroma.listCollections(tenant: tenant, database: database).value)
  case "update":
    try step.show(
      await chroma.updateCollection(
        tenant: tenant, database: database, collectionID: id, newMetadata: .value(["kind": .string("b")])
      ).value)
  case "delete":
    try step.show(await chroma.deleteCollection(tenant: tenant, database: database, collectionID: name).value)
  case "error":
    try step.show(await chroma.getCollection(tenant: tenant, database: database, collectionID: "none").value)
  default: throw UnknownStep(name: step.name)
  }
}
