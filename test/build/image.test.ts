import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Docker from 'dockerode'
import { expect, test } from 'vitest'
import { findEngine } from '../../build/engine/find.mjs'
import { ensureImage } from '../../build/image.mjs'
import { outFolder } from '../../build/machine/paths.mjs'
import { readRecipe } from '../../build/sandbox-image/recipe.mjs'

test('the sandbox image is in the engine, has its tools, and needs no network to run', async () => {
  const image = await ensureImage(await findEngine())
  const docker = new Docker()
  const tools = ['bash', 'git', 'curl', 'rg', 'python3', 'ps', 'less', 'jq', 'patch']
  const container = await docker.createContainer({
    Image: image?.reference ?? readRecipe().reference,
    Cmd: [
      '/bin/sh',
      '-c',
      `for tool in ${tools.join(' ')}; do command -v $tool >/dev/null || echo $tool; done; exit 0`,
    ],
    HostConfig: { NetworkMode: 'none', Init: true },
  })
  try {
    await container.start()
    expect((await container.wait()).StatusCode).toBe(0)
    expect((await container.logs({ stdout: true, stderr: true })).toString()).toBe('')
  } finally {
    await container.remove({ force: true })
  }
})

test('the app carries the image with its true size', () => {
  const info = JSON.parse(readFileSync(join(outFolder, 'resources', 'sandbox-image.json'), 'utf8'))
  expect(info.reference).toBe(readRecipe().reference)
  expect(info.sizeBytes).toBe(statSync(join(outFolder, 'resources', 'sandbox-image.tar.gz')).size)
})
