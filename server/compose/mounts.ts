import { posix } from 'node:path'
import type { Mount, ServiceFields } from './fields.ts'
import { pathInside } from './paths.ts'
import { ComposeProblem } from './problem.ts'
import type { ServicePlan } from './service-plan.ts'

type Mounts = Pick<ServicePlan, 'volumes' | 'binds' | 'tmpfs'>

const VOLUME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,60}$/

/**
 * @param folder of the compose file, from the root of the repository
 * @throws ComposeProblem for what is not a volume, or a file or folder of the repository
 */
export function mountsOf({ volumes, tmpfs }: ServiceFields, folder: string): Mounts {
  const mounts: Mounts = { volumes: [], binds: [], tmpfs: (tmpfs ?? []).map(each => target(each.split(':')[0] ?? '')) }
  for (const each of volumes ?? []) add(mounts, parts(each), folder)
  return mounts
}

interface Parts {
  type: string
  source: string
  target: string
  readOnly: boolean
}

/** `source:target:mode`, `target` alone, or the fields. */
function parts(mount: Mount): Parts {
  if (typeof mount !== 'string') {
    const { type, source = '', target: at, read_only: readOnly = false } = mount
    return { type, source, target: target(at), readOnly }
  }
  const [first = '', second, mode = ''] = mount.split(':')
  if (second === undefined) return { type: 'volume', source: '', target: target(first), readOnly: false }
  const type = /^[./~]/.test(first) ? 'bind' : 'volume'
  return { type, source: first, target: target(second), readOnly: mode.split(',').includes('ro') }
}

function add(mounts: Mounts, { type, source, target: containerPath, readOnly }: Parts, folder: string): void {
  if (type === 'tmpfs') mounts.tmpfs.push(containerPath)
  else if (type === 'bind') mounts.binds.push({ path: inRepository(source, folder), containerPath })
  else if (type !== 'volume') throw new ComposeProblem(`Its volume of the type ${type.slice(0, 40)} is not supported.`)
  // Without a name the engine makes one that goes with the container; by its place it is kept.
  else
    mounts.volumes.push({
      name: volumeName(source || `at${containerPath.replaceAll('/', '-')}`),
      containerPath,
      readOnly,
    })
}

function volumeName(name: string): string {
  if (VOLUME.test(name)) return name
  throw new ComposeProblem(`Its volume ${name.slice(0, 80)} has no usable name.`)
}

/** @throws ComposeProblem */
export function inRepository(path: string, folder: string): string {
  if (/^[/~]/.test(path)) {
    throw new ComposeProblem(
      `It mounts ${path.slice(0, 100)} of this computer. Only files of the repository can be given to a service.`,
    )
  }
  const inside = pathInside(path, folder)
  if (inside === undefined) {
    throw new ComposeProblem(`It mounts ${path.slice(0, 100)}, which lies outside of the repository.`)
  }
  if (inside === '') {
    throw new ComposeProblem(
      'It mounts the whole repository: it is part of the project itself, which runs in the sandbox.',
    )
  }
  return inside
}

function target(path: string): string {
  const normal = posix.normalize(path).replace(/(?<=.)\/$/, '')
  if (!normal.startsWith('/') || normal === '/' || normal.includes('\0')) {
    throw new ComposeProblem(`It mounts something at ${path.slice(0, 100)}, which is no folder of a container.`)
  }
  return normal
}
