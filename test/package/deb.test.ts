import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it as base, describe, expect } from 'vitest'
import { capture } from '../../build/machine/command.mjs'
import { makeDeb } from '../../build/package/linux/deb.mjs'
import { openPage } from '../bench/process/launch.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'
import { Debian, KEY } from './debian.ts'
import { expectFullSandbox, whileOpen } from './debian-window.ts'

const EPOCH = 1_767_225_600
const OLD = '0.0.9'
const NEW = '0.1.0'
/** Of the Debian's own loopback, where the window can be looked at. */
const PORT = 9222
/** What the buttons and fields of the window say. */
const SHOWN = `[...document.querySelectorAll('button, textarea')]
  .map(({ ariaLabel, value, textContent }) => [ariaLabel, value, textContent].join(' ')).join('\\n')`

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-debs-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    return folder
  })
  .extend('make', { scope: 'file' }, ({ folder }) => (version: string, into = folder) => {
    const app = dirname(desktopProgram().path)
    return makeDeb({ app, version, epoch: EPOCH, release: false }, into)
  })
  .extend('oldDeb', { scope: 'file' }, ({ make }) => make(OLD))
  .extend('newDeb', { scope: 'file' }, ({ make }) => make(NEW))
  .extend('debian', { scope: 'file' }, async ({ folder, oldDeb: _old, newDeb: _new }, { onCleanup }) => {
    const debian = await Debian.boot(folder)
    onCleanup(() => debian.shutDown())
    debian.start(['Xvfb', ':1', '-nolisten', 'tcp'])
    // Made when the first package with icons comes, and kept by the package that owns their folder.
    await debian.must(['update-icon-caches', '/usr/share/icons/hicolor'])
    return debian
  })
  /** What there was before the package came. */
  .extend('before', { scope: 'file' }, ({ debian }) => debian.paths())

describe('the Debian package', () => {
  test('is the same bytes when it is made again', async ({ make, newDeb, folder }) => {
    const again = await make(NEW, join(folder, 'again'))
    expect(readFileSync(again).equals(readFileSync(newDeb))).toBe(true)
    rmSync(dirname(again), { recursive: true })
  })

  test('is as the tools of Debian want it', async ({ newDeb }) => {
    const lintian = await capture('lintian', ['--fail-on', 'error,warning', '--allow-root', newDeb], { quiet: true })
    expect(lintian).toMatchObject({ code: 0, output: '' })
  })

  test('is installed without a network, and desktops know what it opens', async ({ debian, before: _ }) => {
    expect((await debian.run(['bash', '-c', 'exec 3<>/dev/tcp/192.0.2.1/80'])).stderr).toContain(
      'Network is unreachable',
    )
    await debian.must(['dpkg', '--install', `/mnt/${fileOf(OLD)}`])
    expect(await debian.must(['dpkg', '--verify', 'atelier'])).toBe('')
    expect(await debian.must(['desktop-file-validate', '/usr/share/applications/atelier.desktop'])).toBe('')
    const types = await debian.must(['cat', '/usr/share/applications/mimeinfo.cache'])
    expect(types).toMatch(/^x-scheme-handler\/atelier=atelier\.desktop;$/m)
    for (const menu of ['kio/servicemenus/atelier.desktop', 'nemo/actions/atelier.nemo_action'])
      expect(await debian.must(['cat', `/usr/share/${menu}`])).toContain('Exec=atelier --folder %')
    // Else it could become the file manager.
    expect(types).not.toMatch(/^inode\/directory=.*atelier/m)
    expect(await debian.must(['grep', '-c', 'atelier', '/usr/share/icons/hicolor/icon-theme.cache'])).not.toBe('0\n')
  })

  test('runs for a normal user in the full sandbox of Chromium, and answers on its own command line', async ({
    debian,
  }) => {
    await whileOpen(debian, debian.start(['atelier'], { SESSION_API_KEY: KEY }), async () => {
      await expectFullSandbox(debian)
      expect(await debian.atelier(['settings', 'set', 'max_iterations', '77'])).toMatchObject({ code: 0 })
    })
  })

  test('a second start hands what it is given to the first, whose window shows it, and ends', async ({ debian }) => {
    const app = debian.start(['atelier', '--folder=/opt', `--remote-debugging-port=${PORT}`], { SESSION_API_KEY: KEY })
    await whileOpen(debian, app, async () => {
      const relay = await debian.relay(PORT)
      const page = await openPage(relay.address)
      const shown = () => page.evaluate(SHOWN)
      try {
        await expect.poll(shown).toContain('Folder: opt')
        for (const [word, text] of [
          ['/srv', 'Folder: srv'],
          ['file:///media', 'Folder: media'],
          ['atelier://new?text=Told', 'Told'],
        ] as const) {
          expect(await shown()).not.toContain(text)
          expect(await debian.atelier([word])).toMatchObject({ code: 0, stdout: '' })
          await expect.poll(shown).toContain(text)
        }
      } finally {
        page.close()
        relay.close()
      }
    })
  })

  test('where no user namespace can be made the helper that it installs makes the sandbox', async ({ debian }) => {
    const start = debian.startWithoutUserNamespaces(['atelier'], { SESSION_API_KEY: KEY })
    await whileOpen(debian, await start, async () => {
      const [page] = await debian.processes('--type=renderer')
      expect(page?.status).toMatchObject({ Seccomp: '2', NoNewPrivs: '1', CapEff: '0000000000000000' })
      expect(await debian.processes('chrome-sandbox')).not.toEqual([])
      expect(await debian.processes('no-sandbox')).toEqual([])
    })
  })

  test('an upgrade keeps what the person has', async ({ debian }) => {
    await debian.must(['dpkg', '--install', `/mnt/${fileOf(NEW)}`])
    expect(await debian.must(['dpkg-query', '--show', '--showformat=${Version}', 'atelier'])).toBe(NEW)
    await whileOpen(debian, debian.start(['atelier'], { SESSION_API_KEY: KEY }), async () => {
      expect(await debian.atelier(['settings', 'get', 'max_iterations'])).toMatchObject({ code: 0, stdout: '77\n' })
    })
  })

  test('when it is purged nothing is left but what the person has', async ({ debian, before }) => {
    await debian.must(['dpkg', '--purge', 'atelier'])
    expect((await debian.paths()).filter(path => !before.includes(path))).toEqual([])
    expect(await debian.must(['cat', '/usr/share/applications/mimeinfo.cache'])).not.toContain('atelier')
    expect(await debian.must(['ls', '/home/ada/.local/share/Atelier'])).toContain('atelier.db\n')
  })
})

function fileOf(version: string): string {
  return `atelier_${version}_${process.arch === 'x64' ? 'amd64' : process.arch}.deb`
}
