import { z } from 'zod'
import { route } from '../../contract/route.ts'

const tag = 'System'

export const localApiKey = z.object({
  kept_in: z
    .enum(['environment', 'keychain', 'memory'])
    .describe('`environment` is SESSION_API_KEY; `memory` ends with this run, as there is no keychain.'),
  can_rotate: z.boolean().describe('Whether a new key can be made here, which is not so for one of the environment.'),
})
export type LocalApiKeyInfo = z.output<typeof localApiKey>

export const getLocalApiKey = route({
  method: 'get',
  path: '/api/v1/local-api-key',
  summary: 'Where the key of this API is kept, and whether it can be rotated',
  description:
    'Tells where the key of this API is kept and whether it can be rotated. The key itself is not in the reply.',
  tag,
  reply: localApiKey,
})

/**
 * 409 when the key was given with SESSION_API_KEY, 503 when the keychain does not answer: then the old one stays valid.
 * Sockets that were opened with the old key, or with a sandbox's, are closed with 4001. The login that
 * asks goes on, and so does the app's window; those of other browsers end.
 */
export const rotateLocalApiKey = route({
  method: 'post',
  path: '/api/v1/local-api-key/rotate',
  tag,
  summary: 'Put a new key in the place of this one, which is refused at once',
  description:
    'Makes a new key. The old one is refused at once, sockets that showed it are closed, and the keys of all sandboxes change. 409 when the key is given by the environment.',
  failures: ['conflict'],
  reply: z.object({
    session_api_key: z
      .string()
      .nullable()
      .describe(
        'The new key for a caller who showed the old one; null for the login of a window, which never sees it.',
      ),
  }),
})
