import { z } from 'zod'
import { IN_VAULT } from '../contract/failures.ts'
import { success } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { llmProfileChanged, llmProfileDetails, llmProfiles, profileName } from '../v1/settings/llm-profiles.ts'
import { conversationParams } from './conversations.ts'
import { storedLlm } from './llm.ts'

const tag = 'Profiles'
const params = z.object({ name: profileName.describe('Name of the profile.') })

export const listLlmProfiles = route({
  method: 'get',
  path: '/api/profiles',
  summary: 'Models that were saved under a name',
  description:
    "Lists the models that were saved under a name, without their keys. Like all profiles it needs the app's own key: 403 with the key of a sandbox.",
  tag,
  failures: ['forbidden'],
  reply: llmProfiles,
})

/** The key is never returned, whatever is asked for. */
export const getLlmProfile = route({
  method: 'get',
  path: '/api/profiles/{name}',
  summary: 'Get a profile',
  description:
    'Reads one saved model, without its key, whatever the header `X-Expose-Secrets` asks for. 400 when that header is none of `plaintext`, `encrypted` and `true`, 403 with the key of a sandbox.',
  tag,
  params,
  failures: ['forbidden', 'bad_request', 'not_found'],
  reply: llmProfileDetails,
})

/** Without a key, or with the mask in its place, the stored one stays; an empty one, and `include_secrets: false`, remove it. */
export const saveLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}',
  summary: 'Save a model under a name, in the place of one of that name',
  description:
    'Saves a model under this name, in place of one that has it; its key goes to the keychain. 403 with the key of a sandbox.',
  tag,
  status: 201,
  params,
  body: z.object({
    llm: storedLlm.describe('Model to save.'),
    include_secrets: z.boolean().default(true).describe('Whether the key is saved too, in the keychain.'),
  }),
  failures: ['forbidden', 'bad_request', 'llm_unknown_model', 'llm_bad_request', 'conflict', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const deleteLlmProfile = route({
  method: 'delete',
  path: '/api/profiles/{name}',
  summary: 'Delete a profile, if there is one',
  description: 'Deletes a saved model with its key. Nothing happens when there is none. 403 with the key of a sandbox.',
  tag,
  params,
  failures: ['forbidden', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const renameLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}/rename',
  summary: 'Rename a profile',
  description: 'Gives a saved model another name. 403 with the key of a sandbox.',
  tag,
  params,
  body: z.object({ new_name: profileName.describe('New name of the profile; 409 when it is taken.') }),
  failures: ['forbidden', 'not_found', 'conflict'],
  reply: llmProfileChanged,
})

export const activateLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}/activate',
  summary: 'Make it the model of the settings',
  description: 'Makes a saved model, with its key, the model of the settings. 403 with the key of a sandbox.',
  tag,
  params,
  failures: ['forbidden', 'not_found', ...IN_VAULT],
  reply: llmProfileChanged.extend({
    llm_applied: z.boolean().describe('Whether the model is now the model of the settings.'),
  }),
})

export const validateLlmProfile = route({
  method: 'post',
  path: '/api/profiles/{name}/validate',
  summary: 'Ask the model one short question before it is saved',
  description:
    'Asks a model one short question before it is saved. The reply has `valid: false` and the reason when it does not answer.',
  tag,
  params,
  body: z.object({
    llm: storedLlm.describe('Model to ask.'),
    include_secrets: z
      .boolean()
      .nullish()
      .describe('Taken, and without effect: the key of the body is used, or else the stored one.'),
  }),
  failures: ['forbidden', 'bad_request', 'llm_unknown_model', 'llm_bad_request', ...IN_VAULT],
  reply: z.object({
    valid: z.boolean().describe('Whether the model answered.'),
    error: z
      .object({
        type: z.string().describe('Code of the failure, to branch on.'),
        message: z.string().describe('What went wrong and what to do next, in words for people.'),
      })
      .nullable()
      .describe('Why it did not; null when it did.'),
  }),
})

export const switchLlmProfile = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/switch_profile',
  summary: 'Go on with the model of a profile, from the next step on',
  description: 'Lets the conversation go on with a saved model from its next step on.',
  tag,
  params: conversationParams,
  body: z.object({ profile_name: profileName.describe('Name of the profile to go on with; 404 when there is none.') }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_found'],
  reply: success,
})
