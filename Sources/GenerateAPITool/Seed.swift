@main struct Seed { static func main() {} }
