import { createPublicKey, verify } from 'node:crypto'
import { gt, valid } from 'semver'
import { parse } from 'yaml'
import { z } from 'zod'
import type { PackageKind } from './config.ts'
import { UpdateError } from './problem.ts'

/** What a feed says of one version, on one system and processor. */
export interface Release {
  version: string
  date: string
  notes: string
  files: readonly ReleaseFile[]
}

export interface ReleaseFile {
  /** A plain name beside the description. */
  url: string
  /** In base64. */
  sha512: string
  /** Bytes. */
  size: number
}

const MAX_PACKAGE_BYTES = 2 * 1024 ** 3

const description = z.object({
  version: z
    .string()
    .max(64)
    .refine(text => valid(text) === text),
  releaseDate: z.iso.datetime(),
  releaseNotes: z.string().max(50_000),
  files: z
    .array(
      z.object({
        url: z
          .string()
          .max(200)
          .regex(/^[\w][\w.~+-]*$/),
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        size: z.int().min(1).max(MAX_PACKAGE_BYTES),
      }),
    )
    .min(1)
    .max(20),
})

/** The newest version: `latest-linux-x64.yml`. */
export function latestName(platform: string = process.platform, processor: string = process.arch): string {
  return `latest-${platform}-${processor}.yml`
}

/** A version that stays to be had, to go back to: `atelier-1.2.3-linux-x64.yml`. */
export function nameOfVersion(
  version: string,
  platform: string = process.platform,
  processor: string = process.arch,
): string {
  return `atelier-${version}-${platform}-${processor}.yml`
}

/**
 * Reads a description that one of the keys has signed, together with its name, so that none stands for another.
 * @throws UpdateError bad_signature, and bad_feed for what was signed and makes no sense
 */
export function readRelease(signed: SignedText, publicKeys: readonly string[]): Release {
  if (!publicKeys.some(key => isSignedBy(key, signed))) throw new UpdateError('bad_signature', null)
  try {
    const value: unknown = parse(signed.text, { maxAliasCount: 0, logLevel: 'error' })
    const { releaseDate: date, releaseNotes: notes, version, files } = description.parse(value)
    return { version, date, notes, files }
  } catch (error) {
    throw new UpdateError('bad_feed', `${signed.name} is signed and cannot be read.`, error)
  }
}

export interface SignedText {
  name: string
  text: string
  /** Ed25519, in base64. */
  signature: string
}

function isSignedBy(key: string, { name, text, signature }: SignedText): boolean {
  const x = Buffer.from(key, 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(`${name}\n${text}`), publicKey, Buffer.from(signature.trim(), 'base64'))
}

export function isNewer(version: string, than: string): boolean {
  return gt(version, than)
}

const ENDS: Record<Exclude<PackageKind, 'manual'>, string> = { deb: '.deb', rpm: '.rpm', tar: '.tar.gz', nsis: '.exe' }
/** What a person opens who installs by hand. */
const BY_HAND = ['.tar.gz', '.dmg', '.msi']

/** The package for an installation. @throws UpdateError bad_feed when the release has none */
export function fileFor({ version, files }: Release, kind: PackageKind): ReleaseFile {
  const ends = kind === 'manual' ? BY_HAND : [ENDS[kind]]
  const file = files.find(({ url }) => ends.some(end => url.endsWith(end)))
  if (file) return file
  throw new UpdateError('bad_feed', `${version} has no package for this installation (${ends.join(', ')}).`)
}
