const MAX_TEXT_LENGTH = 300
const MAX_ITEMS = 2
const MAX_FIELDS = 40

/** Texts that differ from run to run, and what stands for them, in the order in which they are replaced. */
const REPLACED: readonly (readonly [RegExp, string | ((match: string) => string)])[] = [
  [
    /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?/g,
    match => `2026-01-15T09:30:00${match.slice(19).replaceAll(/\d/g, '0')}`,
  ],
  [/\b\d{4}-\d\d-\d\d\b(?!T)/g, '2026-01-15'],
  [/http:\/\/host\.docker\.internal:\d+(?=\/octocat\/)/g, 'https://github.com'],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '127.0.0.1:3737'],
  [/\b2\d{3}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/g, '2026-01-15T09-30-00-000Z'],
  [/"(gateway_url|agent_server_url|conversation_url)":"http:\/\/127\.0\.0\.1:3737/g, '"$1":"http://127.0.0.1:3738'],
  [/"port":\d+/g, '"port":49152'],
  [/unix:\/\/\/[^"]*docker\.sock/g, 'unix:///var/run/docker.sock'],
  [/\/[\w./-]*\/atelier\/engine\/data/g, '/var/lib/docker'],
  [/\batelier-[0-9A-Za-z]{22}\b/g, 'atelier-4w7AmGhlXoAyPdx9z04GMN'],
  [/"job_id":"[\w-]{20,}"/g, '"job_id":"22yMGBCanP2hJkK5lDULAU"'],
  [/\batelier\/sandbox:[0-9a-f]{12}\b/g, 'atelier/sandbox:1.0.0'],
  [/\b0\.0\.0-test\b/g, '1.0.0'],
  [/\bopenai\/scripted\b/g, 'openai/gpt-5'],
  [/\bNAME_\w+/g, 'DEPLOY_KEY'],
  [/\bSECRET_\w+/g, 'DEPLOY_TOKEN'],
  [/\/(?:tmp|var\/folders)\/[\w./-]*?atelier-test-folder-\w+/g, '/home/you/projects'],
  [/\/(?:tmp|var\/folders)\/[\w./-]*?atelier[\w.-]*/g, '/home/you/.local/share/Atelier'],
  [/"((?:session_api_|api_)?key|code|state)":"[\w-]{20,}"/gi, '"$1":"…"'],
  [/([?&](?:state|code|code_challenge|client_id|session_api_key)=)[\w%.-]{8,}/g, '$1…'],
]

/** The same as a reader wants to see it: short, and without what differs from run to run. */
export function plain(value: unknown): unknown {
  let text = JSON.stringify(shortened(value))
  for (const [pattern, replacement] of REPLACED) {
    text =
      typeof replacement === 'string' ? text.replaceAll(pattern, replacement) : text.replaceAll(pattern, replacement)
  }
  return JSON.parse(withPlainIds(text))
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  const shown =
    fields.length > MAX_FIELDS && fields.every(([, one]) => Array.isArray(one)) ? fields.slice(0, 3) : fields
  return Object.fromEntries(shown.map(([name, one]) => [name, shortened(one)]))
}

/** The same id is the same everywhere in one example. */
function withPlainIds(text: string): string {
  const ids = new Map<string, string>()
  const idOf = (digits: string) => {
    const known = ids.get(digits) ?? `0198c2f0a1b27c3d8e4f${String(ids.size + 1).padStart(12, '0')}`
    ids.set(digits, known)
    return known
  }
  return text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, uuid =>
      idOf(uuid.replaceAll('-', '')).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    )
    .replaceAll(/\b[0-9a-f]{32}\b/g, idOf)
    .replaceAll(/\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g, hash => '3f7a9c1e'.repeat(hash.length / 8))
}
