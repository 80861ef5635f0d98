import { createHash } from 'node:crypto'
import type { ServiceBuild, ServicePlan } from '../../compose/service-plan.ts'
import { partLabels, serviceImageLabels } from '../../docker/container/labels.ts'
import type { Engine } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { ImageBuilder } from '../build/builder.ts'
import { isServiceImage, serviceImage } from '../build/image-names.ts'
import { imageDetail } from '../image.ts'
import { readBuildContext } from './build-context.ts'

/** As many lines of the log as a person reads where the build failed. */
const LAST_LINES = 10
const MAX_DETAIL = 200

export interface ServiceImageBuild {
  builder: Pick<ImageBuilder, 'build'>
  engine: Engine
  instanceId: string
  sandbox: SandboxHandle
  /** The root of the repository. */
  folder: string
  /** Whether the policy of the sandbox lets it reach the internet: then the steps do too, and otherwise nothing. */
  hasNetwork: boolean
  /** What is done at the moment. */
  onDetail(detail: string): void
  /** Of the log. */
  onLine(line: string): void
}

/**
 * The image of a service that is built from the repository: one for each state of the files that it is built from.
 * @returns its name
 * @throws AppError bad_request, file_too_large, image_build_failed with the end of the log, those of the sandbox and the engine
 */
export async function buildServiceImage(
  { builder, engine, instanceId, sandbox, folder, hasNetwork, onDetail, onLine }: ServiceImageBuild,
  { name, build }: { name: string; build: ServiceBuild },
  signal: AbortSignal,
): Promise<string> {
  const { context, dockerfile, args: buildArgs, target } = build
  onDetail(`Reading ${context}.`)
  const files = await readBuildContext(sandbox, { folder, context }, signal)
  const made = JSON.stringify([hasNetwork, dockerfile, buildArgs, target, files.digest])
  const reference = serviceImage(ownerOf(sandbox.id, name), createHash('sha256').update(made).digest('hex'))
  if (await engine.image(reference)) return reference
  const last: string[] = []
  const listener = {
    onLine: (line: string) => {
      onLine(line)
      if (last.push(line) > LAST_LINES) last.shift()
      if (/^Step \d+\/\d+ : /.test(line)) onDetail(line.slice(0, MAX_DETAIL))
    },
    onPull: (image: string, progress: Parameters<typeof imageDetail>[1]) => onDetail(imageDetail(image, progress)),
    onWait: onDetail,
  }
  const source = {
    ...{ dockerfile, buildArgs, hasNetwork, isForeign: true },
    ...(target !== null && { target }),
    ...serviceImageLabels(instanceId, { sandboxId: sandbox.id, hasNetwork }),
    writeContext: files.write,
  }
  onDetail(`Building from ${context}.`)
  try {
    await builder.build(reference, source, { listener, signal })
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError) || error.code !== 'image_build_failed') throw error
    const network = hasNetwork ? '' : ' Its steps have no network, as that of this sandbox is not open.'
    throw new AppError('image_build_failed', [`${error.message}${network}`, ...last].join('\n'), { cause: error })
  }
  return reference
}

/** Those that services were made from before. What a container is made from stays, as the engine refuses it. */
export async function removeFormerImages(
  engine: Engine,
  { instanceId, sandboxId }: { instanceId: string; sandboxId: string },
  plans: readonly ServicePlan[],
): Promise<void> {
  const built = plans.filter(({ build }) => build !== null)
  if (built.length === 0) return
  const kept = new Set(built.map(({ image }) => image))
  const own = built.map(({ name }) => serviceImage(ownerOf(sandboxId, name), ''))
  const names = await serviceImagesOf(engine, instanceId, sandboxId)
  const former = names.filter(name => !kept.has(name) && own.some(prefix => name.includes(prefix)))
  await Promise.allSettled(former.map(name => engine.removeImage(name)))
}

/** Names of what was built for the services of one sandbox. */
async function serviceImagesOf(engine: Engine, instanceId: string, sandboxId: string): Promise<string[]> {
  const objects = await engine.listObjects(partLabels(instanceId, sandboxId))
  return objects.flatMap(({ kind, name }) => (kind === 'image' && isServiceImage(name) ? [name] : []))
}

/** Part of a tag, which has no other letters. */
function ownerOf(sandboxId: string, service: string): string {
  return createHash('sha256')
    .update(JSON.stringify([sandboxId, service]))
    .digest('hex')
    .slice(0, 16)
}
