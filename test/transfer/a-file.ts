import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import ZipStream from 'zip-stream'

export const AT = '2026-01-01T00:00:00.000Z'

/** What another Atelier could have written, or somebody who means harm. @param manifest in place of what fits; null leaves it out */
export async function aFile(
  parts: Record<string, string>,
  manifest: object | null = {},
  comment = '',
): Promise<Buffer> {
  const zip = new ZipStream({ comment })
  const whole = buffer(zip)
  const add = (name: string, text: string) =>
    new Promise<void>((resolve, reject) => zip.entry(text, { name }, error => (error ? reject(error) : resolve())))
  for (const [name, text] of Object.entries(parts)) await add(name, text)
  const listed = Object.entries(parts).map(([name, text]) => ({
    name,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  const conversations = listed.filter(({ name }) => name.startsWith('conversations/')).length
  const fitting = {
    format: 'atelier-data',
    version: 1,
    app_version: '9',
    exported_at: AT,
    counts: { conversations, events: 0, models: 0, specs: 0, secrets: 0 },
    left_out: { specs: [], variables: [], sign_ins: [], damaged_conversations: 0 },
    parts: listed,
  }
  if (manifest) await add('manifest.json', JSON.stringify({ ...fitting, ...manifest }))
  zip.finish()
  return whole
}
