import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The files below a folder that hold this text in clear. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => contains(file, text))
}

/** A running app's cache files come and go; what has gone holds nothing. */
function contains(file: string, text: string): boolean {
  try {
    return readFileSync(file).includes(text)
  } catch (error) {
    if (existsSync(file)) throw error
    return false
  }
}

/** What the keyring holds for the app, as another program that the user runs would read it. */
export async function keyringValues(env: NodeJS.ProcessEnv): Promise<string> {
  const script = `require('keytar').findCredentials('Atelier').then(found => console.log(JSON.stringify(found)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env })
  return stdout
}
