import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Pack } from 'tar-stream'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { Feature } from './configuration.ts'

/** In the image while features are installed: https://containers.dev/implementors/features/#installation */
const FOLDER = '/tmp/dev-container-features'

/** $1 folder of the feature. */
const INSTALL = `#!/bin/sh
set -e
home_of() { (getent passwd "$1" 2>/dev/null || grep -E "^$1:|^[^:]*:[^:]*:$1:" /etc/passwd || true) | head -n 1 | cut -d: -f6; }
cd -- "${FOLDER}/$1"
chmod -R 0755 .
set -a
. ../users.env
_CONTAINER_USER_HOME=$(home_of "$_CONTAINER_USER")
_REMOTE_USER_HOME=$(home_of "$_REMOTE_USER")
. ./atelier-options.env
set +a
exec ./install.sh
`

/** Installs features on an image, each in a step of its own. */
export function featuresDockerfile(base: string, features: readonly Feature[]): string {
  const steps = features.flatMap((feature, index) => [
    ...Object.entries(feature.containerEnv ?? {}).map(([name, value]) => `ENV ${name}=${quotedValue(value ?? '')}`),
    `RUN /bin/sh ${FOLDER}/install ${folderOf(index)}`,
  ])
  return [`FROM ${base}`, 'USER 0:0', `COPY . ${FOLDER}/`, ...steps, `RUN rm -rf ${FOLDER}`, ''].join('\n')
}

/** @param user whom programs will run as */
export async function writeFeatures(
  context: Pack,
  features: readonly Feature[],
  { user, home }: { user: string; home: string },
): Promise<void> {
  context.entry({ name: 'install', mode: 0o755 }, INSTALL)
  context.entry({ name: 'users.env' }, `_CONTAINER_USER=${shellWord(user)}\n_REMOTE_USER=${shellWord(user)}\n`)
  for (const [index, feature] of features.entries()) {
    const files = await filesOf(feature, home)
    if (!files.some(({ path }) => path === 'install.sh')) {
      throw new AppError('bad_request', `The feature ${feature.id} has no install.sh, so that it cannot be installed.`)
    }
    for (const { path, content } of files) context.entry({ name: `${folderOf(index)}/${path}`, mode: 0o755 }, content)
    context.entry({ name: `${folderOf(index)}/atelier-options.env` }, optionsOf(feature))
  }
}

function folderOf(index: number): string {
  return `feature-${index}`
}

/** Only what lies in the folder of this call, and only regular files: what a registry sent may hold links. */
async function filesOf({ id, cachePath }: Feature, home: string): Promise<{ path: string; content: Buffer }[]> {
  if (!cachePath.startsWith(`${home}${sep}`)) throw new AppError('bad_request', `The feature ${id} cannot be read.`)
  const files: { path: string; content: Buffer }[] = []
  let bytes = 0
  for (const entry of await readdir(cachePath, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    bytes += (await lstat(file)).size
    if (files.length >= BOUNDS.devContainerOwnFiles.limit || bytes > BOUNDS.devContainerOwnBytes.limit) {
      throw new AppError('too_large', `The feature ${id} of the dev container is too large.`)
    }
    files.push({ path: relative(cachePath, file).split(sep).join('/'), content: await readFile(file) })
  }
  return files
}

/** https://containers.dev/implementors/features/#option-resolution */
function optionsOf({ options = {}, value }: Feature): string {
  const defaults = Object.entries(options).map(([name, each]) => [name, each.default ?? ''] as const)
  const given = typeof value === 'object' ? value : typeof value === 'string' ? { version: value } : {}
  return Object.entries({ ...Object.fromEntries(defaults), ...given })
    .map(([name, each]) => `${variableOf(name)}=${shellWord(String(each))}\n`)
    .join('')
}

function variableOf(name: string): string {
  return name
    .replace(/\W/g, '_')
    .replace(/^[\d_]+/, '_')
    .toUpperCase()
}

function shellWord(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`
}

/** A value of ENV, in which the builder still replaces variables. */
function quotedValue(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ')
  return `"${plain.replace(/["\\]/g, character => `\\${character}`)}"`
}
