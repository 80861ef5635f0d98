import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { endProgram } from './bus-daemon.ts'

export interface Notices {
  /** Title and text of the newest one, with a line break between them; '' for none. */
  newest(): string
  /** The button of the newest one. */
  press(label: string): Promise<void>
  /** A click on the newest one. */
  click(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)

/** dunst, which shows the notifications of a desktop, on the display and bus of `env`. Its menu of buttons chooses what the test says. */
export async function startNotices(env: NodeJS.ProcessEnv): Promise<Notices> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-notices-'))
  const at = (name: string) => join(folder, name)
  const script = (name: string, text: string) =>
    writeFileSync(at(name), `#!/bin/sh\ncd '${folder}'\n${text}\n`, { mode: 0o755 })
  script('shown', `printf '%s\\n%s' "$2" "$3" > next && mv next newest`)
  script('choose', 'grep -F "$(cat wanted)" | head -1')
  writeFileSync(
    at('dunstrc'),
    `[global]
dmenu = ${at('choose')}
always_run_script = true
[all]
appname = "*"
timeout = 0
script = ${at('shown')}
`,
  )
  const daemon = spawn('dunst', ['-conf', at('dunstrc')], { env, stdio: 'ignore' })
  const control = (...words: string[]) => run('dunstctl', words, { env })
  await expect
    .poll(() =>
      control('is-paused').then(
        ({ stdout }) => stdout.trim(),
        () => '',
      ),
    )
    .toBe('false')
  return {
    newest: () => (existsSync(at('newest')) ? readFileSync(at('newest'), 'utf8') : ''),
    press: async label => {
      writeFileSync(at('wanted'), label)
      await control('context')
    },
    click: async () => {
      await control('action')
    },
    close: async () => {
      await endProgram(daemon)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
