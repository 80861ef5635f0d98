import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { randomToken } from '../../../server/domain/ids.ts'
import { removeSandboxesOf } from '../engine/containers.ts'
import { projectFolder } from '../project-folder.ts'
import { BESIDE_OTHERS } from '../service/environment.ts'

const PARTS = ['build', 'electron', 'package-lock.json', 'package.json', 'renderer', 'server', 'test', 'tsconfig.json']
const START_MS = 120_000

export interface Development {
  key: string
  /** What it has said so far. */
  output: () => string
  /** Waits for a match in what it says, from the beginning or from `from`. */
  said: (words: RegExp, from?: number) => Promise<RegExpExecArray>
  /** Replaces text in a source file of the copy. */
  edit: (file: string, text: string, other: string) => void
  /** @returns its exit code */
  close: () => Promise<number | null>
}

/** `npm run dev` in a copy of the sources, so that a test can change them. */
export async function startDevelopment(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Development> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-dev-'))
  for (const part of PARTS) cpSync(join(projectFolder, part), join(folder, part), { recursive: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
  const key = randomToken(32)
  const dataDir = join(folder, 'data')
  const child = spawn(process.execPath, [join(folder, 'build', 'dev.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      SESSION_API_KEY: key,
      ATELIER_DATA_DIR: dataDir,
      ...BESIDE_OTHERS,
      ATELIER_VAULT: 'session',
    },
  })
  let output = ''
  const exited = once(child, 'exit')
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const said = (words: RegExp, from = 0): Promise<RegExpExecArray> =>
    vi.waitUntil(
      () => {
        const match = words.exec(output.slice(from))
        if (!match && child.exitCode !== null) throw new Error(`It ended without saying ${words}.\n${output}`)
        return match
      },
      { timeout: START_MS, interval: 50 },
    )
  return {
    key,
    output: () => output,
    said,
    edit: (file, text, other) => {
      const path = join(folder, file)
      const source = readFileSync(path, 'utf8')
      if (!source.includes(text)) throw new Error(`${file} does not contain ${text}`)
      writeFileSync(path, source.replace(text, other))
    },
    close: async () => {
      if (child.exitCode === null) child.kill('SIGTERM')
      const [code] = await exited
      await removeSandboxesOf(dataDir)
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      return code
    },
  }
}
