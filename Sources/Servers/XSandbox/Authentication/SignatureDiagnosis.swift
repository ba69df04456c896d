import Foundation

/// Finds a client's mistake: signs the request with each mistake that clients are known to make.
struct SignatureDiagnosis {
  let correct: SignatureBaseString
  let request: IncomingRequest
  let consumerSecret: String
  let tokenSecret: String
  /// The signature that the client sent.
  let signature: String
  var method = SignatureMethod.hmacSHA1

  /// The mistake that gives the client's signature; `nil` if no known one does.
  var finding: Finding? {
    for mistake in mistakes {
      let computed = Signature.compute(baseString: mistake.baseString, key: mistake.key ?? key, method: method)
      if computed == signature {
        return Finding(part: mistake.part, explanation: mistake.explanation, baseString: mistake.baseString)
      }
    }
    return nil
  }

  struct Finding: Equatable {
    /// The differing part of the base string or of the key.
    var part: String
    var explanation: String
    /// The base string that the client signed, including the values of its parameters.
    var baseString: String
  }

  private struct Mistake {
    var part: String
    var explanation: String
    var baseString: String
    var key: String?
  }

  private var key: String { Signature.key(consumerSecret: consumerSecret, tokenSecret: tokenSecret) }

  private var mistakes: [Mistake] { keyMistakes + parameterMistakes + addressMistakes + encodingMistakes }

  private var keyMistakes: [Mistake] {
    let text = correct.text
    return [
      Mistake(
        part: "key", explanation: "The token secret was left out of the signing key.", baseString: text,
        key: PercentEncoding.encode(consumerSecret) + "&"),
      Mistake(
        part: "key", explanation: "The consumer secret was left out of the signing key.", baseString: text,
        key: "&" + PercentEncoding.encode(tokenSecret)),
      Mistake(
        part: "key", explanation: "The consumer secret and the token secret were swapped in the signing key.",
        baseString: text, key: PercentEncoding.encode(tokenSecret) + "&" + PercentEncoding.encode(consumerSecret)),
      Mistake(
        part: "key", explanation: "The secrets were not percent-encoded in the signing key.", baseString: text,
        key: consumerSecret + "&" + tokenSecret),
      Mistake(
        part: "key", explanation: "The `&` between the two secrets is missing in the signing key.", baseString: text,
        key: PercentEncoding.encode(consumerSecret) + PercentEncoding.encode(tokenSecret)),
    ]
  }

  private var parameterMistakes: [Mistake] {
    var mistakes: [Mistake] = []
    if !correct.queryParameters.isEmpty {
      mistakes.append(
        variant(part: "parameters", "The query parameters were left out of the signature.") { $0.queryParameters = [] })
      for parameter in correct.queryParameters {
        mistakes.append(
          variant(part: "parameters", "The query parameter `\(parameter.nameText)` was left out of the signature.") {
            $0.queryParameters.removeAll { $0 == parameter }
          })
      }
    }
    if !correct.formParameters.isEmpty {
      mistakes.append(
        variant(part: "parameters", "The form body was left out of the signature.") { $0.formParameters = [] })
    } else if !request.body.isEmpty {
      mistakes.append(
        variant(part: "parameters", "The body was signed as if it were a form; only form bodies are signed.") {
          $0.formParameters = RequestParameter.parse(form: String(decoding: request.body, as: UTF8.self))
        })
      if let body = try? JSON(parsing: request.body), case .object(let members) = body {
        mistakes.append(
          variant(part: "parameters", "The members of the JSON body were signed; a JSON body is never signed.") {
            $0.formParameters = members.compactMap { name, value in
              value.string.map { RequestParameter(name, $0) }
            }
          })
      }
    }
    return mistakes
  }

  private var addressMistakes: [Mistake] {
    [
      variant(part: "address", "The signature is for https, but the request came by http.") { $0.scheme = "https" },
      variant(part: "address", "The port was left out of the address that was signed.") { $0.port = nil },
      variant(part: "address", "The signature is for https://api.x.com, not for this server.") {
        ($0.scheme, $0.host, $0.port) = ("https", "api.x.com", nil)
      },
      variant(part: "address", "The signature is for https://api.twitter.com, not for this server.") {
        ($0.scheme, $0.host, $0.port) = ("https", "api.twitter.com", nil)
      },
      variant(part: "address", "The signature is for host `localhost`, but the request names `\(correct.host)`.") {
        $0.host = "localhost"
      },
      variant(part: "address", "The signature is for host `127.0.0.1`, but the request names `\(correct.host)`.") {
        $0.host = "127.0.0.1"
      },
      variant(part: "address", "The signed path ends in a slash that the request's path does not have.") {
        $0.path += "/"
      },
      Mistake(
        part: "address", explanation: "The query was left in the address that was signed.",
        baseString: withQueryInAddress),
    ]
  }

  private var encodingMistakes: [Mistake] {
    let others = ["GET", "POST", "PUT", "DELETE", "PATCH"].filter { $0 != correct.method }
    return others.map { method in
      variant(part: "method", "The signature is for the method \(method), but the request's is \(correct.method).") {
        $0.method = method
      }
    } + [
      Mistake(
        part: "method", explanation: "The method was signed in lower case; it must be in upper case.",
        baseString: correct.method.lowercased() + correct.text.dropFirst(correct.method.count)),
      variant(part: "parameters", "Spaces were signed as `+`; they must be `%20`.") {
        $0.queryParameters = $0.queryParameters.map(Self.spacesAsPlus)
        $0.formParameters = $0.formParameters.map(Self.spacesAsPlus)
      },
      variant(part: "parameters", "The parameters were percent-encoded once too often.") {
        $0.queryParameters = $0.queryParameters.map(Self.encodedAgain)
        $0.formParameters = $0.formParameters.map(Self.encodedAgain)
      },
      Mistake(
        part: "parameters", explanation: "The characters `!'()*` were not percent-encoded in the signature.",
        baseString: withoutReservedEncoding),
    ]
  }

  private func variant(
    part: String, _ explanation: String, _ change: (inout SignatureBaseString) -> Void
  ) -> Mistake {
    var copy = correct
    change(&copy)
    return Mistake(part: part, explanation: explanation, baseString: copy.text)
  }

  private var withQueryInAddress: String {
    let address = correct.baseURI + (request.query.isEmpty ? "" : "?" + request.query)
    return [correct.method, address, correct.normalizedParameters]
      .map { PercentEncoding.encode($0) }.joined(separator: "&")
  }

  /// The base string without the encoding of characters that JavaScript's `encodeURIComponent` leaves unencoded.
  private var withoutReservedEncoding: String {
    ["!": "%2521", "'": "%2527", "(": "%2528", ")": "%2529", "*": "%252A"]
      .reduce(correct.text) { $0.replacingOccurrences(of: $1.value, with: $1.key) }
  }

  private static func spacesAsPlus(_ parameter: RequestParameter) -> RequestParameter {
    RequestParameter(
      name: parameter.name, value: parameter.value.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 })
  }

  private static func encodedAgain(_ parameter: RequestParameter) -> RequestParameter {
    RequestParameter(name: parameter.name, value: Array(PercentEncoding.encode(parameter.value).utf8))
  }
}
