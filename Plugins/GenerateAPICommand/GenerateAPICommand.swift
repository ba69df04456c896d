import PackagePlugin

@main struct GenerateAPICommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {}
}
