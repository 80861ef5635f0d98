import { describe, expect } from 'vitest'
import { plainText } from '../../server/cli/output/plain-text.ts'
import { it as base } from '../fixtures/service.ts'
import { command, jsonLines, startCommand } from '../parts/command-line.ts'

const test = base
  // Tests may run where colours are off.
  .extend('env', { scope: 'file' }, ({ service }) => () => {
    return {
      ATELIER_DATA_DIR: service.dataDir,
      SESSION_API_KEY: service.key,
      TERM: 'xterm',
      NO_COLOR: '',
    }
  })

const terminal = (line: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command: line } }] })

/** Titles, the clipboard, the cursor, C1 forms of the same, a bell, a return, a device query, and hidden directions. */
const HOSTILE =
  'a\u001b]0;owned\u0007b\u001b]52;c;ZXZpbA==\u0007c\u001b[2J\u001b[1;1Hd\u009b31me\u0007f\rg\u001b[6nh\u202edeceived\u202c\u0090q\u009c\u001bPq\u001b\\i'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/

describe('hostile text of the model', () => {
  test('reaches a terminal as no control sequence, in messages, commands, output, titles and diffs', async ({
    model,
    env,
  }) => {
    model.setScript([
      terminal(`printf '${HOSTILE}' | tee "$(printf 'x\\033]0;y\\007')"; printf '\\033]0;z\\007\\033[2J'`),
      { text: HOSTILE },
    ])
    const followed = await command(['run', 'Go.', '--follow', '--title', `title ${HOSTILE}`], { env: env(), tty: true })
    expect(followed.code).toBe(0)
    expect(followed.stdout).toContain('● ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
    const ours = /\u001b\[(1|2|22|31|32|33|36|39)m/g
    expect(followed.stdout).toMatch(ours)
    expect(CONTROL.exec(followed.stdout.replace(ours, ''))).toBeNull()
    const list = await command(['list', '--json'], { env: env() })
    const { id, title } = jsonLines(list.stdout)[0]
    expect(title).toContain('\u001b')
    for (const words of [['list'], ['show', id], ['attach', id, '--all'], ['diff', id], ['list', '--json']]) {
      const shown = await command(words, { env: env(), tty: true })
      expect({ words, found: CONTROL.exec(shown.stdout.replace(ours, '')) }).toEqual({ words, found: null })
    }
    expect(CONTROL.exec(list.stdout)).toBeNull()
    // For a program the patch is what git wrote.
    expect((await command(['diff', id], { env: env() })).stdout).toContain('\u001b]0;owned')
  })

  test('is shown by its pictures, and what is no control stays', () => {
    expect(plainText('tab\tline\nä 漢 😀 \u001b[31mred\u001b[0m \u0007 \u007f \u0085 \u202e')).toBe(
      'tab\tline\nä 漢 😀 red ␇ ␡ <U+0085> <U+202E>',
    )
  })
})

describe('a terminal', () => {
  test('asks about actions that wait, and each answer counts', async ({ model, env }) => {
    model.setScript([terminal('touch first'), terminal('touch second'), terminal('rm first'), { text: 'Done.' }])
    const running = startCommand(['run', 'Go.', '--follow', '--confirm-each'], { env: env(), tty: true })
    const type = (text: string) => running.process.stdin?.write(text)
    await running.until(/touch first[\s\S]*Accept\?/)
    type('what\n')
    await running.until(/Accept\?[\s\S]*Accept\?/)
    type('y\n')
    await running.until(/touch second[\s\S]*Accept\?/)
    type('n not that one\n')
    const { code, stdout } = await running.ended
    expect(code).toBe(5)
    expect(stdout).toContain('rejected: not that one')
  })

  test('has colours unless NO_COLOR or --no-color says otherwise, and Ctrl-C while it asks detaches', async ({
    model,
    env,
  }) => {
    model.setScript([terminal('touch first'), { text: 'Done.' }])
    const running = startCommand(['run', 'Go.', '--follow', '--confirm-each'], { env: env(), tty: true })
    await running.until(/Accept\?/)
    running.process.stdin?.write('\u0003')
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(stdout).toContain('Detached')
    for (const plain of [
      { words: ['list', '--no-color'], env: env() },
      {
        words: ['attach', /attach ([0-9a-f]{32})/.exec(stdout)?.[1] ?? '', '--confirm', 'leave'],
        env: { ...env(), NO_COLOR: '1' },
      },
    ]) {
      expect((await command(plain.words, { env: plain.env, tty: true })).stdout).not.toContain('\u001b')
    }
  })
})
