const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*(?:[=:]\s?(.*))?$/

/** Variables of a `.env` file. Lines of another form are left out; a name without a value has none. */
export function readEnvFile(text: string): Map<string, string> {
  const variables = new Map<string, string>()
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value] = LINE.exec(line) ?? []
    if (name !== undefined && value !== undefined) variables.set(name, unquoted(value.trim()))
  }
  return variables
}

function unquoted(value: string): string {
  const quote = value.charAt(0)
  if (quote === '"' || quote === "'") {
    const end = value.indexOf(quote, 1)
    const inner = end === -1 ? value.slice(1) : value.slice(1, end)
    return quote === '"' ? inner.replace(/\\n/g, '\n') : inner
  }
  return value.replace(/\s+#.*$/, '')
}
