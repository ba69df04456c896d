// Without the trait this module has nothing, so that nobody fetches swift-metrics and swift-distributed-tracing who does not
// use them. These two names tell those who forgot it.
#if !Observability
  /// Reports calls to swift-metrics; there with the package's trait `Observability` alone.
  @available(
    *, unavailable, message: "enable the trait: .package(url: \"…/callsign\", from: \"…\", traits: [\"Observability\"])"
  )
  public struct CallMetrics {
    /// Not there.
    public init() {}
  }

  /// Traces calls by swift-distributed-tracing; there with the package's trait `Observability` alone.
  @available(
    *, unavailable, message: "enable the trait: .package(url: \"…/callsign\", from: \"…\", traits: [\"Observability\"])"
  )
  public struct CallTracing {
    /// Not there.
    public init() {}
  }
#endif
