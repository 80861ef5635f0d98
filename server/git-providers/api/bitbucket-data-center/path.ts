import { AppError } from '../../../domain/errors.ts'

/** @throws AppError not_found for a name that is not `project/repository` */
export function pathOf(name: string): string {
  const [project = '', slug = '', ...more] = name.split('/')
  if (more.length > 0) throw new AppError('not_found', `Bitbucket has no ${name}: its repositories are project/name.`)
  return `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(slug)}`
}
