import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { valid } from 'semver'
import { z } from 'zod'
import type { SignedText } from './release.ts'

const signedText = z.object({ name: z.string(), text: z.string(), signature: z.string() })

/** Beside its package: what was signed of a version, which is checked again whenever it is read. */
export function keepDescription(folder: string, version: string, signed: SignedText): void {
  mkdirSync(join(folder, version), { recursive: true, mode: 0o700 })
  writeFileSync(descriptionOf(folder, version), JSON.stringify(signed), { mode: 0o600 })
}

/** @returns undefined for a version of which nothing is kept */
export function readDescription(folder: string, version: string): SignedText | undefined {
  try {
    return signedText.parse(JSON.parse(readFileSync(descriptionOf(folder, version), 'utf8')))
  } catch {
    return undefined
  }
}

/** Removes the packages of all versions but these. */
export function removePackages(folder: string, kept: readonly string[]): void {
  for (const name of namesIn(folder)) {
    if (valid(name) === name && !kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function descriptionOf(folder: string, version: string): string {
  return join(folder, version, 'description.json')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
