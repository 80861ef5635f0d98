import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The files below a folder that hold this text in clear. */
export function filesWith(folder: string, text: string): string[] {
  return filesIn(folder).filter(file => ifThere(file, () => readFileSync(file).includes(text)) ?? false)
}

/** All files below a folder. */
export function filesIn(folder: string): string[] {
  const entries = ifThere(folder, () => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries.flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() ? [path] : []
  })
}

/** A running app's cache comes and goes; what has gone holds nothing. */
function ifThere<T>(path: string, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (existsSync(path)) throw error
    return undefined
  }
}

/** What the keyring holds for the app, as another program that the user runs would read it. */
export async function keyringValues(env: NodeJS.ProcessEnv): Promise<string> {
  const script = `require('keytar').findCredentials('Atelier').then(found => console.log(JSON.stringify(found)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env })
  return stdout
}
