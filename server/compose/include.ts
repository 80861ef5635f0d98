import { posix } from 'node:path'
import { z } from 'zod'
import { type Fields, isFields, type Tree } from './document.ts'
import { pathInside, rebasedPath } from './paths.ts'
import { ComposeProblem } from './problem.ts'

const oneOrMore = z.union([z.array(z.string()).min(1), z.string().transform(one => [one])])

const include = z.union([
  z.string().transform(path => ({ path: [path], project_directory: undefined, env_file: undefined })),
  z.object({ path: oneOrMore, project_directory: z.string().optional(), env_file: oneOrMore.optional() }),
])

/** Compose files that another one includes. Paths are from the root of the repository. */
export interface Include {
  /** A later one over the ones before it. */
  paths: string[]
  /** From which their own paths are meant. */
  folder: string
  /** Files of variables; null for the `.env` of the folder, if there is one. */
  envFiles: string[] | null
}

/** As the field `include` of a compose file lists them. */
export function includesIn(field: Tree | undefined): Tree[] {
  if (field === undefined || field === null) return []
  return Array.isArray(field) ? field : [field]
}

/** What a person knows it by. */
export function nameOfInclude(entry: Tree): string {
  const path = isFields(entry) ? entry.path : entry
  const first = Array.isArray(path) ? path[0] : path
  return typeof first === 'string' ? first.slice(0, 100) : 'include'
}

/**
 * https://docs.docker.com/reference/compose-file/include/
 * @param folder from which the including file's paths are meant @throws ComposeProblem for one that is not of the repository
 */
export function readInclude(entry: Tree, folder: string): Include {
  const { data } = include.safeParse(entry)
  if (!data) throw new ComposeProblem('This entry of `include` cannot be read.')
  if (data.path.some(path => /^[\w+.-]+:/.test(path))) {
    throw new ComposeProblem('It lies somewhere else. Only files of the repository are included.')
  }
  const inside = (path: string) => {
    const found = pathInside(path, folder)
    if (found !== undefined) return found
    throw new ComposeProblem(`${path.slice(0, 100)} lies outside of the repository.`)
  }
  const paths = data.path.map(inside)
  const own = posix.dirname(paths[0] ?? '')
  const envFiles = data.env_file?.filter(path => path !== '/dev/null').map(inside) ?? null
  return {
    paths,
    folder: data.project_directory === undefined ? (own === '.' ? '' : own) : inside(data.project_directory),
    envFiles,
  }
}

/** A service of an included file, with its paths as the including file would have them. */
export function rebasedService(fields: Fields, from: string, to: string): Fields {
  if (from === to) return fields
  const rebase = (path: string) => rebasedPath(path, from, to)
  const { volumes, env_file, build } = fields
  return {
    ...fields,
    ...(Array.isArray(volumes) && { volumes: volumes.map(each => rebasedMount(each, rebase)) }),
    ...(env_file !== undefined && { env_file: rebasedEnvFiles(env_file, rebase) }),
    ...(build !== undefined && { build: rebasedBuild(build, rebase) }),
  }
}

function rebasedMount(mount: Tree, rebase: (path: string) => string): Tree {
  if (typeof mount === 'string') {
    const [source = '', ...rest] = mount.split(':')
    return source.startsWith('.') && rest.length > 0 ? [rebase(source), ...rest].join(':') : mount
  }
  if (!isFields(mount) || mount.type !== 'bind' || typeof mount.source !== 'string') return mount
  return { ...mount, source: rebase(mount.source) }
}

/** Its Dockerfile is meant from there. */
function rebasedBuild(build: Tree, rebase: (path: string) => string): Tree {
  if (typeof build === 'string') return rebase(build)
  if (!isFields(build)) return build
  const { context = '.' } = build
  return { ...build, context: typeof context === 'string' ? rebase(context) : context }
}

function rebasedEnvFiles(files: Tree, rebase: (path: string) => string): Tree {
  if (typeof files === 'string') return rebase(files)
  if (Array.isArray(files)) return files.map(each => rebasedEnvFiles(each, rebase))
  return isFields(files) && typeof files.path === 'string' ? { ...files, path: rebase(files.path) } : files
}
