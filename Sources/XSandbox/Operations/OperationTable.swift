/// All operations that the sandbox implements.
enum OperationTable {
  static let all = v2 + v1

  static let v2: [Operation] =
    Users.operations + Posts.operations + Timelines.operations + Search.operations + Likes.operations
    + Reposts.operations + Follows.operations + Lists.operations + ListMembers.operations
    + MediaUploads.operations + MediaDetails.operations
}
