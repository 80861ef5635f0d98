import { AppError } from '../../domain/errors.ts'

export function noRemote(): AppError {
  return new AppError('conflict', 'The repository has no remote. Save the work as a patch instead.')
}

export function noToken(url: string): AppError {
  const host = URL.canParse(url) ? new URL(url).host : (/^(?:[^@/]+@)?([^:/]+):/.exec(url)?.[1] ?? 'this remote')
  return new AppError(
    'provider_token_missing',
    `No token is stored for ${host}. Store one in Settings › Git, or save the work as a patch.`,
  )
}
