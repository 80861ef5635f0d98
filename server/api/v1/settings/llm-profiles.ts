import { z } from 'zod'
import { IN_OWN_CONVERSATION, IN_VAULT } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { addressText, keyText, lineText } from '../../input-text.ts'
import { modelOptions } from '../../model-options.ts'
import { appConversation } from '../conversation/conversations.ts'
import { conversationParams } from '../conversation/params.ts'

const tag = 'Saved models'
const path = '/api/v1/settings/profiles'
export const profileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
const params = z.object({ name: profileName.describe('Name of the saved model.') })

/** A model that was saved under a name. Its key is never returned. */
export const llmProfile = z.object({
  name: z.string().describe('Name under which the model was saved.'),
  model: z.string().describe('Name of the model, as `provider/model`.'),
  base_url: z.string().nullable().describe("Address of the model's server; null is the provider's own."),
  options: modelOptions.describe('How it is asked, in the words of agent servers; empty is as its provider has it.'),
  api_key_set: z.boolean().describe('Whether a key is stored with it.'),
})
export type LlmProfile = z.output<typeof llmProfile>

export const newProfile = z.object({
  model: lineText(500).describe('Name of the model, as `provider/model`.'),
  base_url: addressText.nullish().describe("Address of the model's server; null is the provider's own."),
  api_key: keyText()
    .nullish()
    .describe('Key for the model, stored in the keychain and never returned; absent or null keeps the stored one.'),
  options: modelOptions
    .nullish()
    .describe('How it is asked, in the words of agent servers; absent is as its provider has it.'),
})
export type NewProfile = z.output<typeof newProfile>

/** `active_profile` is the one that was made the model of the settings last, for as long as they have its model. */
export const llmProfiles = z.object({
  profiles: z.array(llmProfile).describe('Saved models by name.'),
  active_profile: z
    .string()
    .nullable()
    .describe('Name of the one that is the model of the settings; null when none is.'),
})

export const llmProfileDetails = z.object({
  name: z.string().describe('Name under which the model was saved.'),
  config: z
    .object({
      ...modelOptions.shape,
      model: z.string().describe('Name of the model, as `provider/model`.'),
      base_url: z.string().nullable().describe("Address of the model's server; null is the provider's own."),
      api_key: z.null().describe('Always null: `api_key_set` says whether one is stored.'),
    })
    .describe('How the model is reached.'),
  api_key_set: z.boolean().describe('Whether a key is stored with it.'),
})

export const llmProfileChanged = z.object({
  name: z.string().describe('Name under which the model is saved now.'),
  message: z.string().describe('What was done, in words.'),
})

export const listLlmProfilesV1 = route({
  method: 'get',
  path,
  summary: 'Models that were saved under a name',
  description: 'Lists the models that were saved under a name, without their keys.',
  tag,
  reply: llmProfiles,
})

export const getLlmProfileV1 = route({
  method: 'get',
  path: `${path}/{name}`,
  summary: 'Get a saved model',
  description: 'Reads one saved model, without its key.',
  tag,
  params,
  failures: ['not_found'],
  reply: llmProfileDetails,
})

/** Without a key, or with the mask in its place, the stored one stays; an empty one, and `include_secrets: false`, remove it. */
export const saveLlmProfileV1 = route({
  method: 'post',
  path: `${path}/{name}`,
  summary: 'Save a model under a name, in the place of one of that name',
  description:
    'Saves a model under this name, in place of one that has it; its key goes to the keychain. Without a body it saves the model of the settings. 409 when there are as many as there may be.',
  tag,
  status: 201,
  params,
  body: z.object({
    llm: newProfile
      .nullish()
      .describe('Model to save; absent is the model of the settings with its key, which makes it the active one.'),
    include_secrets: z.boolean().default(true).describe('Whether the key is saved too.'),
  }),
  failures: ['bad_request', 'model_not_set', 'llm_unknown_model', 'llm_bad_request', 'conflict', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const deleteLlmProfileV1 = route({
  method: 'delete',
  path: `${path}/{name}`,
  summary: 'Delete a saved model with its key, if there is one',
  description: 'Deletes a saved model with its key. Nothing happens when there is none.',
  tag,
  params,
  failures: IN_VAULT,
  reply: llmProfileChanged,
})

export const renameLlmProfileV1 = route({
  method: 'post',
  path: `${path}/{name}/rename`,
  summary: 'Rename a saved model',
  description: 'Gives a saved model another name.',
  tag,
  params,
  body: z.object({ new_name: profileName.describe('New name of the saved model; 409 when it is taken.') }),
  failures: ['not_found', 'conflict'],
  reply: llmProfileChanged,
})

export const activateLlmProfileV1 = route({
  method: 'post',
  path: `${path}/{name}/activate`,
  summary: 'Make a saved model the model of the settings',
  description:
    'Makes a saved model, with its key, the model of the settings. Conversations that name no model of their own use it from their next step on.',
  tag,
  params,
  failures: ['not_found', ...IN_VAULT],
  reply: llmProfileChanged,
})

export const switchLlmProfileV1 = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/switch_profile',
  summary: 'Go on with a saved model from the next step on',
  description:
    'Lets the conversation go on with a saved model from its next step on; null is the model of the settings again.',
  tag,
  params: conversationParams,
  body: z.object({
    profile_name: profileName.nullable().describe('Saved model to go on with; null is the model of the settings.'),
  }),
  failures: [...IN_OWN_CONVERSATION, 'not_found', 'model_not_set'],
  reply: appConversation,
})
