import type Docker from 'dockerode'
import { isImageReference } from '../../api/v1/sandbox/image-reference.ts'
import { engineError, statusOf } from '../errors.ts'

export interface EngineImage {
  id: string
  /** Of what is made from it: a name or a number, also as `user:group`; '' is root. */
  user: string
  env: Record<string, string>
  labels: Record<string, string>
  /** Of TCP, on which it says to listen. */
  ports: number[]
  /** What a build upon it carries out first, as instructions of a Dockerfile. */
  triggers: string[]
  bytes: number
  /** It was pulled, or pushed. An engine that keeps images in containerd's store knows a digest of each, wherever it is from. */
  isFromRegistry: boolean
}

export async function inspectImage(docker: Docker, reference: string): Promise<EngineImage | undefined> {
  if (!isImageReference(reference)) return undefined
  try {
    return engineImage(await docker.getImage(reference).inspect())
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    throw engineError('Looking for an image', error)
  }
}

/** An engine leaves out what an image says nothing of. */
function engineImage({ Id, Config, Size, RepoDigests }: Docker.ImageInspectInfo): EngineImage {
  const { User, Env, Labels, ExposedPorts, OnBuild } = (Config ?? {}) as Partial<Docker.ImageInspectInfo['Config']>
  const variables = (Env ?? []).map(each => each.split(/=(.*)/s).slice(0, 2) as [string, string])
  const ports = Object.keys(ExposedPorts ?? {})
  return {
    id: Id,
    user: User ?? '',
    env: Object.fromEntries(variables),
    labels: Labels ?? {},
    ports: ports.flatMap(port => (/^\d+(\/tcp)?$/.test(port) ? [Number.parseInt(port, 10)] : [])),
    triggers: OnBuild ?? [],
    bytes: Size,
    isFromRegistry: (RepoDigests ?? []).length > 0,
  }
}
