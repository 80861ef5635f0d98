/** Where the gateway keeps its files: a folder in memory. */
export const FOLDER = '/run/gateway'
/** Each sandbox's address with its id. */
export const SANDBOXES = `${FOLDER}/sandboxes`
/** `name|id`, and `name:port|id` where one port is allowed. */
export const EXACT = `${FOLDER}/exact`
/** `.name|id` and `.name:port|id`, each the end of what is allowed. */
export const BELOW = `${FOLDER}/below`
export const CONTROL = `${FOLDER}/control`

/** Where every connection is taken, whatever port it was made to. */
export const PROXY_PORT = 3129
export const DNS_PORT = 5353

/** Of one sandbox at a time. */
const MAX_CONNECTIONS = 800
/** A connection of HTTP counts twice, as it goes through both frontends. */
const MAX_ALL_CONNECTIONS = 12_000

/** A server name that may become a question to a nameserver. */
const NAME = '^[a-z0-9_][a-z0-9_.-]{0,252}$'

/** Judges the host that a connection names. `scope`: how long HAProxy keeps its variables. */
function judge(kind: 'tcp-request content' | 'http-request', scope: 'sess' | 'txn', named: string): string[] {
  const v = (name: string) => `${scope}.${name}`
  const set = (name: string, value: string, when = '') => `${kind} set-var(${v(name)}) ${value}${when}`
  const unlessFound = ` unless { var(${v('ok')}) -m found }`
  return [
    set('sandbox', `src,map_str(${SANDBOXES})`),
    set('port', 'dst_port'),
    set('name', named, ` if { ${named} -m reg ${NAME} }`),
    set('key', `var(${v('name')}),concat("|",${v('sandbox')})`),
    set('portkey', `var(${v('name')}),concat(":",${v('port')}),concat("|",${v('sandbox')})`),
    ...[`var(${v('key')}),map_str(${EXACT})`, `var(${v('portkey')}),map_str(${EXACT})`].map(each =>
      set('ok', each, unlessFound),
    ),
    ...[`var(${v('key')}),map_end(${BELOW})`, `var(${v('portkey')}),map_end(${BELOW})`].map(each =>
      set('ok', each, unlessFound),
    ),
  ]
}

/**
 * HAProxy's, https://docs.haproxy.org/2.6/configuration.html. Whom a program means is what it says itself: the server name
 * of TLS, the Host of each request of HTTP. That name is looked up here and connected to, whatever address the sandbox had.
 *
 * A line of its log: `attempt <sandbox> <address> <port> <how it ended> <allowed> <found> <name as JSON>`.
 */
export const PROXY_CONFIGURATION = `
global
  log stdout format raw local0
  stats socket ${CONTROL} mode 600 level admin
  maxconn ${MAX_ALL_CONNECTIONS}
  no strict-limits
defaults
  log global
  option logasap
  option splice-auto
  retries 1
  timeout connect 15s
  timeout client 1h
  timeout server 1h
  timeout tunnel 24h
  timeout http-request 30s
  timeout http-keep-alive 5m
resolvers upstream
  parse-resolv-conf
  accepted_payload_size 4096
  resolve_retries 3
  timeout resolve 2s
  timeout retry 1s
  hold valid 30s
  hold nx 2s
frontend every
  mode tcp
  bind :${PROXY_PORT}
  stick-table type ip size 10k expire 1h store conn_cur
  log-format "attempt %[var(sess.sandbox)] %ci %[var(sess.port)] %ts %[var(sess.ok)] %[var(sess.address)] %b %[var(sess.name),json(utf8s)]"
  tcp-request connection track-sc0 src
  tcp-request connection reject if { sc0_conn_cur gt ${MAX_CONNECTIONS} }
  tcp-request connection reject unless { src,map_str(${SANDBOXES}) -m found }
  tcp-request inspect-delay 5s
  tcp-request content accept if HTTP
  tcp-request content set-var(sess.sandbox) src,map_str(${SANDBOXES})
  tcp-request content set-var(sess.port) dst_port
  tcp-request content reject unless { req.ssl_hello_type 1 }
  ${judge('tcp-request content', 'sess', 'req.ssl_sni,lower').join('\n  ')}
  tcp-request content reject unless { var(sess.ok) -m found }
  tcp-request content do-resolve(sess.address,upstream,ipv4) var(sess.name)
  tcp-request content reject unless { var(sess.address) -m found }
  tcp-request content set-dst var(sess.address)
  use_backend http if HTTP
  default_backend tls
backend tls
  mode tcp
  server named 0.0.0.0:0
backend http
  mode tcp
  server named abns@http send-proxy-v2
frontend requests
  mode http
  bind abns@http accept-proxy
  log-format "attempt %[var(txn.sandbox)] %ci %[var(txn.port)] %ts %[var(txn.ok)] %[var(txn.address)] %b %[var(txn.name),json(utf8s)]"
  ${judge('http-request', 'txn', "req.hdr(host),host_only,lower,regsub('\\.$','')").join('\n  ')}
  http-request return status 403 content-type text/plain lf-string "The network policy of this sandbox refuses %[var(txn.name)]:%[var(txn.port)].\\n" unless { var(txn.ok) -m found }
  http-request do-resolve(txn.address,upstream,ipv4) var(txn.name)
  http-request return status 502 content-type text/plain lf-string "%[var(txn.name)] was not found.\\n" unless { var(txn.address) -m found }
  http-request set-dst var(txn.address)
  default_backend web
backend web
  mode http
  server named 0.0.0.0:0
`
