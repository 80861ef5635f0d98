import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from '../../server/browser/acting/find.ts'
import { startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'

describe('a sandbox with a package manager', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox?.close())

  const install = async (path: string, script: string) => {
    await sandbox.handle.writeFile(path, Buffer.from(`#!/bin/sh\n${script}\n`))
    await sandbox.handle.exec({ argv: ['chmod', '+x', path] })
  }

  test('without a browser says with what one can be installed', async () => {
    expect(await findBrowser(sandbox.handle)).toEqual({ kind: 'missing', manager: 'apt-get', distribution: 'debian' })
  })

  test('with a command that only says how to install one has none', async () => {
    await install('/usr/bin/chromium-browser', 'echo "Command requires the chromium snap: snap install chromium"')
    await install('/usr/bin/google-chrome', 'exit 1')
    expect(await findBrowser(sandbox.handle)).toMatchObject({ kind: 'missing' })
  })

  test('has the one that a browser library keeps in its own folder', async () => {
    const path = '/root/.cache/ms-playwright/chromium-1200/chrome-linux/chrome'
    await install(path, 'echo "Google Chrome for Testing 143.0.7499.4"')
    expect(await findBrowser(sandbox.handle)).toEqual({ kind: 'found', executable: path, version: '143.0.7499.4' })
  })

  test('takes one without a window first', async () => {
    await install('/usr/local/bin/chrome-headless-shell', 'echo "Headless Chrome 150.0.1.2"')
    expect(await findBrowser(sandbox.handle)).toMatchObject({ executable: '/usr/local/bin/chrome-headless-shell' })
  })
})

test('a sandbox with a shell and nothing else has neither', async () => {
  const sandbox = await startTestSandbox('busybox')
  expect(await findBrowser(sandbox.handle)).toEqual({ kind: 'missing', manager: null, distribution: '' })
  await sandbox.close()
})
