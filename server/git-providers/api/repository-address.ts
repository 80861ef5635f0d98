import { AppError } from '../../domain/errors.ts'
import { baseOf } from '../provider.ts'

/** @returns `owner/name`, with groups between them at GitLab. @throws AppError bad_request, with the field's name */
export function repositoryName(text: string): string {
  const name = text.trim().replace(/^\/+|\/+$|\.git$/g, '')
  if (/^[\w.~-]+(\/[\w.-]+)+$/.test(name) && !name.split('/').some(part => /^\.+$/.test(part))) return name
  throw new AppError('bad_request', 'repository is not the name of a repository. Give it as owner/name.')
}

/** Path of a file or folder in a repository. @throws AppError bad_request, with the field's name */
export function filePath(text: string): string {
  const parts = text.split('/')
  if (parts.every(part => part !== '' && !/^\.{1,2}$/.test(part))) return text
  throw new AppError(
    'bad_request',
    "file_path is not the path of a file. Give it from the repository's root, without .. or a slash in front.",
  )
}

/** The repository at an address of the installation; null for a text that is none, undefined for an address elsewhere. */
export function repositoryAt(text: string, origin: URL): string | null | undefined {
  if (!/^https?:\/\//i.test(text.trim())) return null
  if (!URL.canParse(text.trim())) return undefined
  const url = new URL(text.trim())
  const base = new URL(`${baseOf(origin)}/`)
  if (url.host !== base.host || !url.pathname.startsWith(base.pathname)) return undefined
  // Bitbucket Data Center has an address for git and one for people.
  const place = url.pathname
    .slice(base.pathname.length)
    .replace(/^projects\/([^/]+)\/repos\/([^/]+)/, '$1/$2')
    .replace(/^scm\/(?=[^/]+\/[^/]+)/, '')
  const [path = ''] = place.split(/\/(?:-|tree|blob|src|browse|pull|pulls|issues)(?:\/|$)/)
  try {
    return repositoryName(decodeURIComponent(path))
  } catch {
    return undefined
  }
}
