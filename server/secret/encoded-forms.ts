/** The forms in which a value may show up in output: as it is, and as common tools write it. */
export function encodedForms(value: string): Set<string> {
  const forms = new Set([value, percentEncoded(value), JSON.stringify(value).slice(1, -1), ...secretLines(value)])
  forms.add(value.replaceAll('\n', '\r\n')) // through a terminal
  forms.add(Buffer.from(value).toString('hex'))
  for (const core of base64Cores(Buffer.from(value))) {
    forms.add(core)
    forms.add(core.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    return value // half of a surrogate pair: no URL can hold it either
  }
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
