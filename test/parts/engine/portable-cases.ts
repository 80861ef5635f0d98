import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'

export const sh = (sandbox: SandboxHandle, script: string, stdin?: Buffer) =>
  sandbox.exec({ argv: ['/bin/sh', '-c', script], ...(stdin && { stdin }) })

/** What a sandbox of any engine does, by name. */
export const PORTABLE_CASES: readonly [name: string, run: (sandbox: SandboxHandle) => Promise<void>][] = [
  [
    'runs commands, also many at once, and what is not read to its end',
    async sandbox => {
      const echoed = await sh(sandbox, 'cat; echo problem >&2; exit 3', Buffer.from('hi'))
      expect(echoed).toMatchObject({ stdout: 'hi', stderr: 'problem\n', exitCode: 3 })
      expect(await sh(sandbox, 'exit 4', randomBytes(1_000_000))).toMatchObject({ exitCode: 4 })
      const many = await Promise.all(Array.from({ length: 20 }, (_, index) => sh(sandbox, `echo ${index}`)))
      expect(many.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}\n`))
    },
  ],
  [
    'carries files of any name in both directions',
    async sandbox => {
      const bytes = randomBytes(3_000_000)
      for (const path of ['/tmp/plain', '/tmp/a [b] {c,d} ?.bin']) {
        await sandbox.writeFile(path, bytes)
        expect((await sandbox.readFile(path)).equals(bytes)).toBe(true)
      }
    },
  ],
  [
    'opens a terminal, and ends what runs in it',
    async sandbox => {
      const terminal = await sandbox.openTerminal({ argv: ['/bin/sh'], cols: 80, rows: 24, env: { TOKEN: 'hidden' } })
      const shown: string[] = []
      terminal.onData(chunk => shown.push(chunk.toString()))
      await terminal.write('echo "<$TOKEN>"; sleep 1000 & echo $! >/tmp/pid; stty size\n')
      await expect.poll(() => shown.join('')).toContain('<hidden>')
      await expect.poll(() => shown.join('')).toContain('24 80')
      terminal.close()
      await terminal.ended
      await expect.poll(async () => (await sh(sandbox, 'kill -0 $(cat /tmp/pid)')).exitCode).not.toBe(0)
    },
  ],
  [
    'reaches what listens in it',
    async sandbox => {
      await sh(
        sandbox,
        'mkdir /tmp/served; echo found >/tmp/served/page; cd /tmp/served; python3 -m http.server 3000 >&2 &',
      )
      const connected = () => sandbox.connect({ host: '127.0.0.1', port: 3000 }, new AbortController().signal)
      const page = async () => {
        const connection = await connected()
        connection.end('GET /page HTTP/1.0\r\n\r\n')
        return text(connection)
      }
      await expect.poll(() => page().catch(String), { timeout: 20_000 }).toMatch(/^HTTP\/1\.0 200 .*found\n$/s)
    },
  ],
]
