// Without the trait this module is empty, so that swift-metrics and swift-distributed-tracing are fetched only if you
// use them. These two names remind you to enable the trait.
#if !Observability
  /// Reports calls to swift-metrics; available only with the package trait `Observability`.
  @available(
    *, unavailable, message: "enable the trait: .package(url: \"…/callsign\", from: \"…\", traits: [\"Observability\"])"
  )
  public struct CallMetrics {
    /// Unavailable.
    public init() {}
  }

  /// Traces calls with swift-distributed-tracing; available only with the package trait `Observability`.
  @available(
    *, unavailable, message: "enable the trait: .package(url: \"…/callsign\", from: \"…\", traits: [\"Observability\"])"
  )
  public struct CallTracing {
    /// Unavailable.
    public init() {}
  }
#endif
