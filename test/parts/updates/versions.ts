import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDescriptions } from '../../../build/release/feed.mjs'
import { signDescriptions } from '../../../build/release/signature.mjs'

export const EPOCH = 1_767_225_600

/** Who publishes versions: its public key is put into packages, the private one signs what the feed says. */
export interface Publisher {
  publicKey: string
  /** PEM. */
  privateKey: string
}

export function newPublisher(): Publisher {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** A copy of the packaged app that says where its updates come from. */
export function copyOfApp(
  app: string,
  feed: { url: string; publicKeys: string[] },
): { folder: string; remove(): void } {
  const parent = mkdtempSync(join(tmpdir(), 'atelier-versions-'))
  const folder = join(parent, 'app')
  execFileSync('cp', ['--archive', '--reflink=auto', app, folder])
  writeFileSync(join(folder, 'resources', 'updates.json'), JSON.stringify(feed))
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) }
}

/** The same app under another version of the same length: the archive of its code is read by offsets. */
export function setVersion(app: string, from: string, to: string): void {
  const file = join(app, 'resources', 'app.asar')
  const code = readFileSync(file)
  const at = code.indexOf(`"name": "atelier",\n  "version": "${from}"`)
  if (at === -1 || from.length !== to.length) throw new Error(`${file} does not say that it is ${from}.`)
  code.write(to, code.indexOf(from, at))
  writeFileSync(file, code)
}

/** Puts versions into the folder of a feed, the last one as the newest. */
export async function publish(
  feed: string,
  versions: readonly { version: string; files: readonly string[] }[],
  { privateKey: key, publicKey }: Publisher,
): Promise<void> {
  mkdirSync(feed, { recursive: true })
  for (const { version, files } of versions) {
    const changelog = `# Changelog\n\n## [${version}]\n\n${NOTES}\n`
    await writeDescriptions(files, { version, changelog, epoch: EPOCH, folder: feed })
  }
  signDescriptions(feed, { key, publicKeys: [publicKey] })
}

const NOTES = '- <img src=x onerror=alert(1)> [a link](https://example.com) and **more**.'
