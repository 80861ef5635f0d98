import { z } from 'zod'
import { appConversation } from './app-conversations.ts'
import { IN_OWN_CONVERSATION, IN_VAULT } from './failures.ts'
import { route } from './route.ts'

const tag = 'Saved models'
const path = '/api/v1/settings/profiles'
export const profileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
const params = z.object({ name: profileName })

/** A model that was saved under a name. Its key is told to nobody. */
export const llmProfile = z.object({
  name: z.string(),
  model: z.string(),
  base_url: z.string().nullable(),
  api_key_set: z.boolean(),
})
export type LlmProfile = z.output<typeof llmProfile>

export const newProfile = z.object({
  model: z.string().max(500),
  base_url: z.string().max(2000).nullish(),
  api_key: z.string().max(8192).nullish(),
})
export type NewProfile = z.output<typeof newProfile>

/** `active_profile` is the one that was made the model of the settings last, for as long as they have its model. */
export const llmProfiles = z.object({ profiles: z.array(llmProfile), active_profile: z.string().nullable() })

export const llmProfileDetails = z.object({
  name: z.string(),
  config: z.object({ model: z.string(), base_url: z.string().nullable(), api_key: z.null() }),
  api_key_set: z.boolean(),
})

export const llmProfileChanged = z.object({ name: z.string(), message: z.string() })

export const listLlmProfilesV1 = route({
  method: 'get',
  path,
  summary: 'Models that were saved under a name',
  tag,
  reply: llmProfiles,
})

export const getLlmProfileV1 = route({
  method: 'get',
  path: `${path}/{name}`,
  summary: 'Get a saved model',
  tag,
  params,
  failures: ['not_found'],
  reply: llmProfileDetails,
})

/** Without a key, or with the mask in its place, the stored one stays; an empty one, and `include_secrets: false`, remove it. */
export const saveLlmProfileV1 = route({
  method: 'post',
  path: `${path}/{name}`,
  summary: 'Save a model under a name, in the place of one of that name; its key goes to the keychain',
  tag,
  status: 201,
  params,
  body: z.object({
    /** Absent is the model of the settings with its key, and makes it the active one. */
    llm: newProfile.nullish(),
    include_secrets: z.boolean().default(true),
  }),
  failures: ['bad_request', 'model_not_set', 'llm_unknown_model', 'llm_bad_request', 'conflict', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const deleteLlmProfileV1 = route({
  method: 'delete',
  path: `${path}/{name}`,
  summary: 'Delete a saved model with its key, if there is one',
  tag,
  params,
  failures: IN_VAULT,
  reply: llmProfileChanged,
})

export const renameLlmProfileV1 = route({
  method: 'post',
  path: `${path}/{name}/rename`,
  summary: 'Rename a saved model',
  tag,
  params,
  body: z.object({ new_name: profileName }),
  failures: ['not_found', 'conflict'],
  reply: llmProfileChanged,
})

export const activateLlmProfileV1 = route({
  method: 'post',
  path: `${path}/{name}/activate`,
  summary: 'Make a saved model the model of the settings',
  tag,
  params,
  failures: ['not_found', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const switchLlmProfileV1 = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/switch_profile',
  summary: 'Go on with a saved model from the next step on; null is the model of the settings',
  tag,
  params: z.object({ conversation_id: z.string() }),
  body: z.object({ profile_name: profileName.nullable() }),
  failures: [...IN_OWN_CONVERSATION, 'not_found', 'model_not_set'],
  reply: appConversation,
})
