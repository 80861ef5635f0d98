import { isSocks } from './address.ts'

/** Why a call got no usable answer. `broken` is every fault of the connection that has no word of its own. */
export type NetworkProblem =
  | 'refused'
  | 'unknown-host'
  | 'timeout'
  | 'certificate'
  | 'not-tls'
  | 'not-http'
  | 'no-route'
  | 'broken'
  | 'redirect'
  | 'private-host'
  | 'blocked-port'
  | 'too-large'
  | 'bad-address'
  | 'proxy'
  | 'proxy-refused'

/**
 * A call that failed before, or while, its answer came. The message is one sentence for a person that says what happened;
 * who called adds what to do next. It is a TypeError, as the failures of `fetch` are. It never holds a path, a query or a header.
 */
export class OutboundError extends TypeError {
  readonly problem: NetworkProblem

  constructor(problem: NetworkProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.problem = problem
  }
}

/** The first among an error and its causes; undefined when no call of ours failed. */
export function outboundErrorIn(thrown: unknown): OutboundError | undefined {
  let error = thrown
  for (let depth = 0; error instanceof Error && depth < 6; depth++) {
    if (error instanceof OutboundError) return error
    error = error.cause
  }
  return undefined
}

/** Names what the runtime reports. @param host with its port, as a person wrote it */
export function toOutboundError(thrown: unknown, host: string): OutboundError {
  const known = outboundErrorIn(thrown)
  if (known) return known
  const problem = problemOf(codeIn(thrown))
  return new OutboundError(problem, describeProblem(problem, host, thrown), thrown)
}

/** A proxy that has not made the connection it was asked for. */
export class ConnectError extends Error {
  /** What it answered in the place of a connection; undefined where it never answered. */
  readonly status: number | undefined

  constructor({ status, cause }: { status?: number; cause?: unknown }) {
    super('The proxy has not connected.', { cause })
    this.status = status
  }
}

/** Names what happened on the way to the proxy, as opposed to behind it, where the server has been reached. */
export function toProxyError(thrown: unknown, proxy: URL, url: URL): unknown {
  if (!(thrown instanceof Error) || thrown instanceof OutboundError) return thrown
  const isOfConnect = thrown instanceof ConnectError
  if (isOfConnect && thrown.status !== undefined) return refusedByProxy(proxy, url, thrown.status)
  // The client of SOCKS has the code of the system in its words alone.
  const isOfSocks = isSocks(proxy) && 'options' in thrown
  const code = codeIn(thrown) || (isOfSocks ? (/\bE[A-Z]{4,}\b/.exec(thrown.message)?.[0] ?? '') : '')
  const known = PROBLEMS[code]
  if (known && known !== 'not-tls')
    return new OutboundError('proxy', `The proxy ${proxy.host} does not answer.`, thrown)
  const problem = problemOf(code)
  // Where the server is not encrypted, the proxy alone speaks TLS.
  const isOfTls = url.protocol === 'http:' && (problem === 'certificate' || problem === 'not-tls')
  if (!isOfConnect && !isOfSocks && !isOfTls) return thrown
  const words =
    problem === 'certificate'
      ? `The certificate of the proxy ${proxy.host} cannot be trusted: ${reasonOf(thrown)}.`
      : `The proxy ${proxy.host} does not connect to ${url.host}.`
  return new OutboundError('proxy', words, thrown)
}

function refusedByProxy(proxy: URL, { host }: URL, status: number): OutboundError {
  const why = status === 407 ? 'wants somebody to sign in' : `does not connect to ${host}`
  const problem = status >= 500 ? 'proxy' : 'proxy-refused'
  return new OutboundError(problem, `The proxy ${proxy.host} ${why} (${status}).`)
}

const PROBLEMS: Readonly<Record<string, NetworkProblem>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ENODATA: 'unknown-host',
  ETIMEDOUT: 'timeout',
  EPROTO: 'not-tls',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  ENETDOWN: 'no-route',
  EADDRNOTAVAIL: 'no-route',
}

function problemOf(code: string): NetworkProblem {
  const known = PROBLEMS[code]
  if (known) return known
  if (/^HPE_/.test(code)) return 'not-http'
  if (/^ERR_TLS_CERT|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code)) return 'certificate'
  if (/^ERR_(SSL|TLS)_/.test(code)) return 'not-tls'
  return 'broken'
}

/** Of several addresses that were tried the runtime reports all: the first is as good as any. */
function codeIn(thrown: unknown): string {
  if (!(thrown instanceof Error)) return ''
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code
  return thrown instanceof AggregateError ? codeIn(thrown.errors[0]) : codeIn(thrown.cause)
}

function describeProblem(problem: NetworkProblem, host: string, thrown: unknown): string {
  switch (problem) {
    case 'refused':
      return `Nothing answers at ${host}.`
    case 'unknown-host':
      return `The name ${host} is not known.`
    case 'timeout':
      return `${host} did not answer in time.`
    case 'certificate':
      return `The certificate of ${host} cannot be trusted: ${reasonOf(thrown)}.${ofTime(thrown)}`
    case 'not-tls':
      return `${host} does not speak TLS as expected. If it works without encryption, its address begins with http://.`
    case 'not-http':
      return `${host} does not answer as a web server does. If it works with encryption, its address begins with https://.`
    case 'no-route':
      return `There is no network connection to ${host}.`
    default:
      return `The connection to ${host} broke.`
  }
}

const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it comes from an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'it comes from an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it comes from an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it comes from an authority that this machine does not know',
  CERT_REVOKED: 'it was revoked',
}

/** A certificate that is in order is out of its time where the clock is wrong. */
function ofTime(thrown: unknown): string {
  const isOfTime = codeIn(thrown) === 'CERT_HAS_EXPIRED' || codeIn(thrown) === 'CERT_NOT_YET_VALID'
  return isOfTime
    ? ` By this computer's clock it is ${new Date().toISOString().slice(0, 10)}: set the clock if that is wrong.`
    : ''
}

function reasonOf(thrown: unknown): string {
  return CERTIFICATE_REASONS[codeIn(thrown)] ?? 'it cannot be verified'
}
