import { z } from 'zod'
import { IN_VAULT } from './failures.ts'
import { conversationParams, gatewayLlm } from './gateway-conversations.ts'
import { llmProfileChanged, llmProfileDetails, llmProfiles, profileName } from './llm-profiles.ts'
import { success } from './page.ts'
import { route } from './route.ts'

const tag = 'Profiles'
const params = z.object({ name: profileName })

export const listLlmProfiles = route({
  method: 'get',
  path: '/api/profiles',
  summary: "Models that were saved under a name; needs the app's own key, as all of these",
  tag,
  failures: ['forbidden'],
  reply: llmProfiles,
})

/** The key is never told, whatever is asked. */
export const getLlmProfile = route({
  method: 'get',
  path: '/api/profiles/{name}',
  summary: 'Get a profile',
  tag,
  params,
  failures: ['forbidden', 'not_found'],
  reply: llmProfileDetails,
})

/** Without a key, or with the mask in its place, the stored one stays; an empty one, and `include_secrets: false`, remove it. */
export const saveLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}',
  summary: 'Save a model under a name, in the place of one of that name; its key goes to the keychain',
  tag,
  status: 201,
  params,
  body: z.object({ llm: gatewayLlm, include_secrets: z.boolean().default(true) }),
  failures: ['forbidden', 'bad_request', 'llm_unknown_model', 'llm_bad_request', 'conflict', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const deleteLlmProfile = route({
  method: 'delete',
  path: '/api/profiles/{name}',
  summary: 'Delete a profile, if there is one',
  tag,
  params,
  failures: ['forbidden', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const renameLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}/rename',
  summary: 'Rename a profile',
  tag,
  params,
  body: z.object({ new_name: profileName }),
  failures: ['forbidden', 'not_found', 'conflict'],
  reply: llmProfileChanged,
})

export const activateLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}/activate',
  summary: 'Make it the model of the settings',
  tag,
  params,
  failures: ['forbidden', 'not_found', ...IN_VAULT],
  reply: llmProfileChanged.extend({ llm_applied: z.boolean() }),
})

export const validateLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}/validate',
  summary: 'Ask the model one short question before it is saved',
  tag,
  params,
  body: z.object({ llm: gatewayLlm, include_secrets: z.boolean().nullish() }),
  failures: ['forbidden', 'bad_request', 'llm_unknown_model', 'llm_bad_request', ...IN_VAULT],
  reply: z.object({ valid: z.boolean(), error: z.object({ type: z.string(), message: z.string() }).nullable() }),
})

export const switchLlmProfile = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/switch_profile',
  summary: 'Go on with the model of a profile, from the next step on',
  tag,
  params: conversationParams,
  body: z.object({ profile_name: profileName }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_found'],
  reply: success,
})
