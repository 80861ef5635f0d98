import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { slimDockerClient } from '../../build/bundle/docker-client.mjs'

test('the bundled Docker client brings neither SSH nor gRPC', async () => {
  const root = join(import.meta.dirname, '..', '..')
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    plugins: [slimDockerClient()],
    ssr: { noExternal: true, target: 'node' },
    build: { ssr: true, write: false, rolldownOptions: { input: join(root, 'server/docker/client.ts') } },
  })) as Rolldown.RolldownOutput
  const modules = output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : []))
  expect(modules.some(id => /node_modules\/dockerode\/lib\/docker\.js$/.test(id))).toBe(true)
  expect(modules.filter(id => /node_modules\/(ssh2|@grpc|protobufjs|cpu-features)\//.test(id))).toEqual([])
  const imports = output.flatMap(part => (part.type === 'chunk' ? part.imports : []))
  expect(imports.filter(name => !name.startsWith('node:') && !/^[a-z_/]+$/.test(name))).toEqual([])
})
