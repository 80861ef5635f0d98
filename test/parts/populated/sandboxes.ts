import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batchGetSandboxes, pauseSandbox, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { listSandboxServices, startSandboxServices } from '../../../server/api/v1/sandbox/services.ts'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { openChanges } from '../client/conversation.ts'
import { startGatewaySandbox } from '../client/gateway.ts'
import type { TestService } from '../service/service.ts'

export const SPEC = { title: 'Spare', image: 'debian:13' }

/** Its command does not begin to run. */
export async function brokenSandbox(service: TestService): Promise<string> {
  const [builtIn] = (await service.client.call(searchSandboxSpecs, { query: {} })).items.filter(one => one.built_in)
  const body = { title: 'Broken', image: builtIn?.image ?? '', command: ['/nowhere'] }
  const sandbox_spec_id = (await service.client.call(createSandboxSpec, { body })).id
  const changes = await openChanges(service)
  const { id } = await service.client.call(startSandbox, { body: { sandbox_spec_id } })
  for (;;) {
    const changed = changes.next()
    const [now] = await service.client.call(batchGetSandboxes, { query: { id: [id] } })
    if (now?.status === 'ERROR') break
    await changed
  }
  changes.close()
  return id
}

/** A folder that it mounts has gone since. */
export async function strandedSpec(service: TestService): Promise<string> {
  const host_path = mkdtempSync(join(tmpdir(), 'atelier-mount-'))
  const body = { ...SPEC, mounts: [{ host_path, container_path: '/mounted' }] }
  const { id } = await service.client.call(createSandboxSpec, { body })
  rmSync(host_path, { recursive: true })
  return id
}

/** A paused one. */
export async function stoppedSandbox(service: TestService): Promise<string> {
  const { id } = await startGatewaySandbox(service)
  await service.client.call(pauseSandbox, { params: { sandbox_id: id } })
  return id
}

/** In its folder lies a compose file with one service, which has been started. */
export async function servicesSandbox(service: TestService): Promise<string> {
  const [builtIn] = (await service.client.call(searchSandboxSpecs, { query: {} })).items.filter(one => one.built_in)
  const id = await withComposeFile(service, `services: {cache: {image: "${builtIn?.image}", command: sleep 1000}}`)
  const changes = await openChanges(service)
  const params = { sandbox_id: id }
  await service.client.call(startSandboxServices, { params, body: {} })
  for (;;) {
    const changed = changes.next()
    const { services } = await service.client.call(listSandboxServices, { params })
    if (services[0]?.state !== 'starting') break
    await changed
  }
  changes.close()
  return id
}

/** Its compose file is not one. */
export function unusableServices(service: TestService): Promise<string> {
  return withComposeFile(service, 'services: {')
}

async function withComposeFile(service: TestService, text: string): Promise<string> {
  const { id, caller } = await startGatewaySandbox(service)
  const command = `mkdir -p /workspace/project; echo '${text}' >/workspace/project/compose.yaml`
  await caller.call('POST', '/api/bash/execute_bash_command', { command })
  return id
}
