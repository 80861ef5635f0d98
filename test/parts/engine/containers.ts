import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../../server/docker/client.ts'
import { LABEL } from '../../../server/docker/container/labels.ts'
import { DockerodeEngine } from '../../../server/docker/dockerode-engine.ts'
import type { EngineObject } from '../../../server/docker/engine.ts'
import { Database } from '../../../server/store/database/database.ts'
import { instanceId } from '../../../server/store/database/meta.ts'

/** The engine that the tests run on, as a second program would see it. */
export function testEngine(): DockerodeEngine {
  const host = process.env.DOCKER_HOST
  if (!host) throw new Error('DOCKER_HOST is not set. Run the tests with `npm test`.')
  return new DockerodeEngine(host, createClient({ host, certificates: undefined }))
}

/** Removes what a closed service left in the engine. @throws Error where no database says which sandboxes are its own */
export function removeSandboxesOf(dataDir: string): Promise<void> {
  return removeSandboxesOfInstance(instanceOf(dataDir))
}

/** What names the sandboxes of a data folder as its own. */
export function instanceOf(dataDir: string): string {
  const file = join(dataDir, 'atelier.db')
  if (!existsSync(file)) throw new Error(`${file} is gone: read the instance before, and remove its sandboxes by that.`)
  const database = Database.open(file)
  const instance = instanceId(database)
  database.close()
  return instance
}

export async function removeSandboxesOfInstance(instance: string): Promise<void> {
  const engine = testEngine()
  const containers = await engine.listContainers({ [LABEL.instance]: instance })
  await Promise.all(containers.map(({ id }) => engine.removeContainer(id)))
  // A later one may be made on an earlier one; of what was built, the steps between are not listed.
  for (let left = (await imagesOf(engine, instance)).reverse(); left.length > 0; ) {
    const results = await Promise.allSettled(left.map(image => engine.removeObject(image)))
    const kept = left.filter((_, index) => results[index]?.status === 'rejected')
    if (kept.length === left.length) throw new Error(`Images cannot be removed: ${kept.map(({ name }) => name)}`)
    left = kept
  }
  await engine.close()
}

/** Those of copied sandboxes, in the order in which they were made. */
export async function imagesOf(engine: DockerodeEngine, instance: string): Promise<EngineObject[]> {
  const objects = await engine.listObjects({ [LABEL.instance]: instance })
  const images = objects.filter(({ kind }) => kind === 'image')
  const ancestors = (image: EngineObject | undefined): number =>
    image ? 1 + ancestors(images.find(({ id }) => id === image.parent)) : 0
  return images.sort((one, other) => ancestors(one) - ancestors(other))
}

/** What a script prints in a folder of a sandbox, errors included, and how it ends. */
export async function runScript(
  sandbox: string,
  { cwd, script }: { cwd: string; script: string },
): Promise<{ exitCode: number; printed: string }> {
  const engine = testEngine()
  const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-c', `exec 2>&1; ${script}`], cwd })
  stream.stderr.resume()
  let printed = ''
  for await (const chunk of stream.stdout) printed += String(chunk)
  const exitCode = await stream.exitCode
  stream.close()
  await engine.close()
  return { exitCode, printed: printed.trim() }
}

/** Names of containers but for one that is no sandbox's: that from which a service that runs sets the rules of networks. */
export function withoutCommon(names: readonly string[]): string[] {
  const common = names.find(name => name.includes('-once-'))
  return names.filter(name => name !== common)
}
