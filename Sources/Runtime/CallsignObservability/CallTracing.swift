#if Observability
  import Callsign
  import CallsignHTTP
  import HTTPTypes
  import Tracing

  /// Makes a span for each call in swift-distributed-tracing, with its attempts as events, and passes the span's
  /// context on to the server.
  ///
  /// ```swift
  /// var configuration = ClientConfiguration()
  /// configuration.trace(by: CallTracing())
  /// let x = XAPI(auth: .bearer("…"), configuration: configuration)
  /// ```
  ///
  /// The span has the kind `client` and the endpoint's name. It is the current span during the call, so other
  /// instruments report as part of it. Its attributes are those of OpenTelemetry's conventions for HTTP clients
  /// (<https://opentelemetry.io/docs/specs/semconv/http/http-spans/>), except the URL, which contains ids. Queries,
  /// bodies and credentials are never recorded.
  public struct CallTracing: CallObserver, Middleware {
    private let tracer: (any Tracer)?
    private let propagates: Bool

    /// The span of the call that is in progress in this task.
    @TaskLocal private static var span: (any Span)?

    /// Traces calls.
    ///
    /// - Parameters:
    ///   - tracer: The tracer. Default: the one that the program has set up swift-distributed-tracing with.
    ///   - propagates: Whether requests carry the span's context, in the header fields that the tracer chooses, such as
    ///     `traceparent`. Default: yes. Another company's API sees only random ids in them.
    public init(tracer: (any Tracer)? = nil, propagates: Bool = true) {
      self.tracer = tracer
      self.propagates = propagates
    }

    private var currentTracer: any Tracer { tracer ?? InstrumentationSystem.tracer }

    /// Makes a call inside a span.
    public func observe<Value: Sendable>(
      _ call: ObservedCall, _ next: () async throws(CallError) -> Value
    ) async throws(CallError) -> Value {
      try await Self.traced(by: currentTracer, call, next).get()
    }

    private static func traced<Value: Sendable>(
      by tracer: some Tracer, _ call: ObservedCall, _ next: () async throws(CallError) -> Value
    ) async -> Result<Value, CallError> {
      await tracer.withSpan(call.endpoint, ofKind: .client) { span in
        span.updateAttributes { attributes in
          attributes["http.request.method"] = call.method.rawValue
          attributes["url.scheme"] = call.scheme
          attributes["server.address"] = call.host
          if let port = call.port { attributes["server.port"] = port }
          attributes["callsign.endpoint"] = call.endpoint
        }
        return await $span.withValue(span) {
          do throws(CallError) { return .success(try await next()) } catch {
            span.attributes["error.type"] = error.kindName
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error))
            return .failure(error)
          }
        }
      }
    }

    /// Adds the span's context to an attempt, and records how it ended.
    public func send(
      _ request: TransportRequest, context: AttemptContext, next: Next
    ) async throws(TransportError) -> TransportResponse {
      guard let span = Self.span else { return try await next(request) }
      var request = request
      if propagates { currentTracer.inject(span.context, into: &request.headerFields, using: FieldInjector()) }
      let attempt: SpanAttributes = ["http.request.resend_count": .int64(Int64(context.attempt - 1))]
      do throws(TransportError) {
        let response = try await next(request)
        let status = response.head.status.code
        span.attributes["http.response.status_code"] = status
        if context.attempt > 1 { span.attributes["http.request.resend_count"] = context.attempt - 1 }
        var attributes = attempt
        attributes["http.response.status_code"] = status
        if let version = response.protocolVersion { attributes["network.protocol.version"] = version }
        span.addEvent(SpanEvent(name: "http.attempt", attributes: attributes))
        return response
      } catch {
        var attributes = attempt
        attributes["error.type"] = error.kindName
        span.addEvent(SpanEvent(name: "http.attempt", attributes: attributes))
        throw error
      }
    }
  }

  extension ClientConfiguration {
    /// Traces calls, each with its attempts.
    ///
    /// - Parameter tracing: The tracing.
    public mutating func trace(by tracing: CallTracing) {
      observers.append(tracing)
      // Innermost: a response from a cache is not an attempt, and the context must not make requests differ for the
      // cache.
      middleware.append(tracing)
    }
  }

  /// Sets header fields; a field with an invalid name or value is left out.
  private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
      guard let name = HTTPField.Name(key), (try? TransportRequest.validate(fieldName: key, value: value)) != nil else {
        return
      }
      fields[name] = value
    }
  }

  extension CallError {
    /// A short word for the kind of error, from a small set.
    fileprivate var kindName: String {
      switch self {
      case .invalidCall: "invalid_call"
      case .authorization: "authorization"
      case .rateLimited: "rate_limited"
      case .api(let error): String(error.status.code)
      case .transport(let error): error.kindName
      case .decoding: "decoding"
      case .unexpectedContent: "unexpected_content"
      case .unreadableResult: "unreadable_result"
      case .mayHaveSucceeded: "may_have_succeeded"
      case .cancelled: "cancelled"
      }
    }
  }

  extension TransportError {
    /// A short word for the kind of error, from a small set.
    fileprivate var kindName: String {
      switch kind {
      case .invalidRequest: "invalid_request"
      case .cannotResolveHost: "cannot_resolve_host"
      case .cannotConnect: "cannot_connect"
      case .tls: "tls"
      case .proxy: "proxy"
      case .timedOut: "timeout"
      case .connectionLost: "connection_lost"
      case .protocolViolation: "protocol_violation"
      case .bodyTooLarge: "body_too_large"
      case .bodySource: "body_source"
      case .cancelled: "cancelled"
      case .other: "other"
      }
    }
  }
#endif
