// The reference of both documents. The key stays in this tab: it is never stored by the page, and it is sent nowhere else.

const STORED_KEY = 'atelier.session-key'

/** A login link ends with `#login=CODE`: its code leaves the address before anything else happens. */
async function redeemLogin() {
  const code = /#login=([^&\s]+)/.exec(location.hash)?.[1]
  if (!code) return
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  const reply = await fetch('/api/v1/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  })
  if (reply.ok) sessionStorage.setItem(STORED_KEY, (await reply.json()).session_api_key)
}

await redeemLogin()
const key = sessionStorage.getItem(STORED_KEY) ?? ''

const common = {
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  // In a narrow window the title of the operation stands in one line, however long it is.
  customCss: '.flex-1.whitespace-nowrap { min-width: 0; overflow: hidden; text-overflow: ellipsis }',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    ...Object.fromEntries(
      [
        'c',
        'clojure',
        'csharp',
        'dart',
        'fsharp',
        'go',
        'http',
        'java',
        'julia',
        'kotlin',
        'objc',
        'ocaml',
        'php',
        'powershell',
        'r',
        'ruby',
        'rust',
        'swift',
      ].map(language => [language, true]),
    ),
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    node: true,
    shell: ['httpie', 'wget'],
    python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
  },
  authentication: {
    preferredSecurityScheme: 'key',
    securitySchemes: { key: { value: key }, sandbox: { value: '' }, bearer: { token: '' } },
  },
}

// Requests go to this very address: `localhost` and 127.0.0.1 are two origins.
Reflect.get(globalThis, 'Scalar').createApiReference('#reference', {
  ...common,
  sources: [
    { title: 'HTTP', slug: 'http', url: '/openapi.json', servers: [{ url: location.origin }] },
    { title: 'Sockets', slug: 'sockets', url: '/asyncapi.json' },
  ],
})

export {}
