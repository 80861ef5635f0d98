import { z } from 'zod'
import { success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { keyText, lineText } from '../../input-text.ts'
import { gitProvider } from '../conversation/conversations.ts'

const tag = 'Secrets'

/** The device code and the token stay in the service. */
export const gitSignIn = z.object({
  id: z.string().describe('Id of the sign-in.'),
  provider: gitProvider.describe('Git provider that the person signs in to.'),
  host: z.string().describe('Host that the person signs in at.'),
  status: z
    .enum(['pending', 'succeeded', 'denied', 'expired', 'failed'])
    .describe('How far the sign-in is: `pending` until the person has entered the code, or it has ended.'),
  user_code: z.string().nullable().describe('Code for the person to enter; null once the sign-in has ended.'),
  verification_uri: z
    .string()
    .nullable()
    .describe('Page at the host to enter the code at; null once the sign-in has ended.'),
  expires_at: z.iso.datetime().nullable().describe('When the code expires; null once the sign-in has ended.'),
  user: z.string().nullable().describe('Name of the user who has signed in; null until then.'),
  error: z
    .string()
    .nullable()
    .describe(
      'What went wrong and what to do next, in words; null when nothing did. With `pending`, why the provider cannot be asked now.',
    ),
})
export type GitSignIn = z.output<typeof gitSignIn>

export const gitSignInRequest = z.object({
  provider: gitProvider.describe('Git provider to sign in to: `github` or `gitlab`.'),
  host: lineText(255).nullish().describe("Host of a server of one's own; absent is the provider's public one."),
  client_id: keyText(255)
    .min(1)
    .describe('Client ID of an application at that host that may use the device flow. It is no secret.'),
})
export type GitSignInRequest = z.output<typeof gitSignInRequest>

const params = z.object({ sign_in_id: z.string().max(100).describe('Id of the sign-in, which its start answered.') })

export const startGitSignIn = route({
  method: 'post',
  path: '/api/v1/git/sign-ins',
  summary: 'Begin to sign in to a git provider',
  description:
    'Begins to sign in to GitHub or GitLab with the device flow (RFC 8628), and answers with a code for the person to enter in a browser. The service waits for the token and stores it in the keychain, as one that was given, with its refresh token if there is one. Another sign-in to the same provider that still waits ends. 400 for other providers, and for an application that the host does not let sign in so.',
  tag,
  status: 201,
  body: gitSignInRequest,
  failures: ['bad_request', 'provider_unavailable'],
  reply: gitSignIn,
})

export const getGitSignIn = route({
  method: 'get',
  path: '/api/v1/git/sign-ins/{sign_in_id}',
  summary: 'How far a sign-in to a git provider is',
  description:
    'Tells how far a sign-in is, and how it has ended. 404 when it was cancelled, when another one to the same provider has begun, and after a start of the service.',
  tag,
  params,
  failures: ['not_found'],
  reply: gitSignIn,
})

export const cancelGitSignIn = route({
  method: 'delete',
  path: '/api/v1/git/sign-ins/{sign_in_id}',
  summary: 'Cancel a sign-in to a git provider',
  description: 'Ends a sign-in: the service waits for its token no more. A token that was stored already stays.',
  tag,
  params,
  failures: ['not_found'],
  reply: success,
})
