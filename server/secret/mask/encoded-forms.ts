/** Of longer values, which are keys of many lines, each line is hidden anyway, whatever stands around it. */
const MAX_LENGTH_IN_ALL_FORMS = 4096

/** How a value may show up in output as a whole: as it is, and as common tools quote it. */
export function formsOf(value: string): Set<string> {
  const forms = new Set([value, ...secretLines(value)])
  forms.add(value.replaceAll('\n', '\r\n')) // through a terminal
  forms.add(JSON.stringify(value).slice(1, -1))
  if (value.length > MAX_LENGTH_IN_ALL_FORMS) return forms
  for (const form of [...percentEncoded(value), ...quoted(value)]) forms.add(form)
  return forms
}

/**
 * A value in hexadecimal and base64, in one line. Tools break them into lines: base64 after 76, OpenSSL and PEM after 64,
 * xxd -p after 60; and other tools cut those, so that a part of them is a secret as well.
 */
export function codesOf(value: string): Set<string> {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const codes = [hex, hex.toUpperCase(), ...base64Cores(bytes)]
  return new Set(codes.flatMap(code => [code, code.replaceAll('+', '-').replaceAll('/', '_')]))
}

/** As `encodeURIComponent`, Python's `quote` and `quote_plus` and HTML forms write it, in both cases of the digits. */
function percentEncoded(value: string): string[] {
  try {
    const component = encodeURIComponent(value)
    const strict = component.replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    const all = [component, strict, strict.replaceAll('%2F', '/'), strict.replaceAll('%20', '+'), encodeURI(value)]
    return [...all, ...all.map(form => form.replace(/%[\dA-F]{2}/g, code => code.toLowerCase()))]
  } catch {
    return [] // half of a surrogate pair: no URL can hold it
  }
}

/** Inside JSON (once and twice, with and without characters beyond ASCII), HTML, and a shell's quotes. */
function quoted(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const ascii = json.replace(/[\u0080-\uffff]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return [
    json,
    ascii,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
    value.replaceAll("'", `'\\''`),
    value.replaceAll("'", `'"'"'`),
    value.replace(/[^\w@%+=:,./-]/g, '\\$&'),
  ]
}

/**
 * Base64 of the value inside other data (`user:token`) depends on where it begins, modulo 3. Each core is what stays the
 * same whatever stands before and after; the first also comes with its padding, as base64 of the value alone.
 */
function base64Cores(value: Buffer): string[] {
  const cores = [0, 1, 2].map(offset => {
    const encoded = Buffer.concat([Buffer.alloc(offset), value])
      .toString('base64')
      .replaceAll('=', '')
    const shared = (offset + value.length) % 3 === 0 ? 0 : 1
    return encoded.slice(offset === 0 ? 0 : offset + 1, encoded.length - shared)
  })
  const alone = value.toString('base64')
  return [alone, alone.replaceAll('=', ''), ...cores]
}

/** Lines of a key file, each a secret of its own; the `-----BEGIN …-----` lines are not. */
function secretLines(value: string): string[] {
  return value.split(/\r?\n/).filter(line => line.length >= 20 && !line.startsWith('-----') && line !== value)
}
