import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { listPorts, previewPort } from '../../../server/api/v1/sandbox/ports.ts'
import {
  deleteSandbox,
  pauseSandbox,
  resumeSandbox,
  searchSandboxes,
} from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { addEngine, DEFAULT_ENGINE, type EngineAddress, listEngines } from '../../../server/api/v1/system/engines.ts'
import { Atelier } from '../../../server/client/atelier.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { until } from '../../../server/client/until.ts'
import { createClient } from '../../../server/docker/client.ts'
import { readLabels } from '../../../server/docker/container/labels.ts'
import { DockerodeEngine } from '../../../server/docker/dockerode-engine.ts'
import { it as base } from '../../fixtures/service.ts'
import { ask } from '../../parts/client/ask-preview.ts'
import { OwnEngine } from '../../parts/engine/own-engine.ts'
import { startSshServer } from '../../parts/engine/ssh-server.ts'
import { startTlsEngine } from '../../parts/engine/tls-engine.ts'
import { SANDBOX_SERVER } from '../../parts/sandbox-server.ts'

const MINUTE = 60_000
const SANDBOXES = 20
const realPath = process.env.PATH

const ownEngine = async ({}, { onCleanup }: { onCleanup: (clean: () => Promise<void>) => void }) => {
  const engine = new OwnEngine({ folder: mkdtempSync(join(tmpdir(), 'atelier-other-engine-')), hasOwnNetwork: true })
  onCleanup(() => engine.close())
  await engine.start()
  return engine
}

const it = base
  .extend('one', { scope: 'file' }, ownEngine)
  .extend('other', { scope: 'file' }, ownEngine)
  .extend('overSsh', { scope: 'file' }, async ({ one }, { onCleanup }) => {
    const server = await startSshServer(one.host)
    onCleanup(() => server.close())
    process.env.PATH = server.env.PATH
    return server
  })
  .extend('overTls', { scope: 'file' }, async ({ other }, { onCleanup }) => {
    const server = await startTlsEngine(other.host)
    onCleanup(() => server.close())
    return server
  })
  .extend(
    'atelier',
    { scope: 'file' },
    ({ service: { url, key } }) => new Atelier({ url, key, connect: openWebSocket }),
  )
  /** Ids of the engines, the default one first, and of a spec on each. */
  .extend('places', { scope: 'file' }, async ({ service: { url, key, client }, overSsh, overTls }) => {
    const { host, certificates } = overTls
    const addresses: EngineAddress[] = [
      { kind: 'host', host: overSsh.host, certificates: null },
      { kind: 'host', host, certificates },
    ]
    const added = await Promise.all(
      addresses.map(address => client.call(addEngine, { body: { name: address.kind, address } })),
    )
    const { items } = await client.call(searchSandboxSpecs, { query: {} })
    const ids = [DEFAULT_ENGINE, ...added.map(({ id }) => id)]
    await until(
      { url, key, connect: openWebSocket },
      {
        concerns: ({ resource }) => resource === 'engine',
        read: async () => {
          const engines = (await client.call(listEngines, {})).items
          return engines.length === ids.length && engines.every(({ status }) => status.state === 'ready')
            ? true
            : undefined
        },
      },
    )
    return Promise.all(
      ids.map(async engineId => {
        const spec = { title: `On ${engineId}`, image: items[0]?.image ?? '', engine_id: engineId }
        return { engineId, specId: (await client.call(createSandboxSpec, { body: spec })).id }
      }),
    )
  })

afterAll(() => {
  process.env.PATH = realPath
})

// The image is brought to each of them.
it.beforeAll(async ({ atelier, places }) => {
  const first = await Promise.all(places.map(({ specId }) => atelier.startSandbox({ sandbox_spec_id: specId })))
  await Promise.all(first.map(({ id }) => atelier.client.call(deleteSandbox, { params: { sandbox_id: id } })))
}, 3 * MINUTE)

it(
  'a port on loopback of a sandbox is seen on each of them, also where this computer has no route to the engine',
  async ({ atelier, places }) => {
    await Promise.all(
      places.map(async ({ specId }) => {
        const sandbox = await atelier.startSandbox({ sandbox_spec_id: specId })
        const params = { sandbox_id: sandbox.id }
        await sandbox.writeFile('/tmp/server.py', SANDBOX_SERVER)
        await sandbox.run('cd /tmp && (setsid python3 server.py 127.0.0.1 5173 >/dev/null 2>&1 &)')
        const ports = () => atelier.client.call(listPorts, { params })
        await expect.poll(ports).toEqual([{ port: 5173, program: 'python3' }])
        const { url } = await atelier.client.call(previewPort, { params: { ...params, port: 5173 } })
        const body = Buffer.alloc(1_000_000, 7)
        const [told, big] = await Promise.all([ask(`${url}a?b=c`, { method: 'POST', body }), ask(`${url}big`)])
        expect(JSON.parse(told.body)).toMatchObject({ method: 'POST', path: '/a?b=c', size: body.length })
        expect(big.body).toHaveLength(20_000_000)
        await atelier.client.call(deleteSandbox, { params })
      }),
    )
  },
  3 * MINUTE,
)

it(
  `${SANDBOXES} sandboxes at once on three engines, of which one is reached over SSH and one over TLS`,
  async ({ atelier, places, one, other }) => {
    const { client } = atelier
    const started = await Promise.all(
      Array.from({ length: SANDBOXES }, async (_, number) => {
        const { engineId, specId } = places[number % places.length] ?? { engineId: '', specId: '' }
        const sandbox = await atelier.startSandbox({ sandbox_spec_id: specId })
        const { stdout } = await sandbox.run(`echo ${number} > here && cat here && ls | wc -l`)
        return { engineId, sandbox, number, stdout }
      }),
    )
    for (const { number, stdout } of started) expect(stdout).toBe(`${number}\n1\n`)
    const { items } = await client.call(searchSandboxes, { query: { limit: 100 } })
    const shown = Object.fromEntries(items.map(each => [each.id, [each.engine_id, each.status]]))
    expect(shown).toEqual(
      Object.fromEntries(started.map(({ sandbox, engineId }) => [sandbox.id, [engineId, 'RUNNING']])),
    )

    const ids = started.map(({ sandbox }) => ({ params: { sandbox_id: sandbox.id } }))
    await Promise.all(ids.map(id => client.call(pauseSandbox, id)))
    await Promise.all(ids.map(id => client.call(resumeSandbox, id)))
    const after = await Promise.all(started.map(({ sandbox }) => sandbox.run('cat here')))
    expect(after.map(({ stdout }) => Number(stdout))).toEqual(started.map(({ number }) => number))

    await Promise.all(ids.map(id => client.call(deleteSandbox, id)))
    const engines = (await client.call(listEngines, {})).items
    expect(engines.map(engine => engine.sandboxes)).toEqual([0, 0, 0])
    for (const { host } of [one, other]) {
      const engine = new DockerodeEngine(host, createClient({ host, certificates: undefined }))
      const left = (await engine.listContainers({})).filter(({ labels }) => readLabels(labels))
      expect(left).toEqual([])
      await engine.close()
    }
  },
  5 * MINUTE,
)
