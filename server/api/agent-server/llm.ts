import { z } from 'zod'
import { addressText, keyText, lineText } from '../input-text.ts'
import { modelOptionFields } from '../model-options.ts'
import { noOtherFields, refused } from '../refused-fields.ts'
import { settingsFields } from '../v1/settings/settings.ts'

const MAX_HEADERS = 50

/** Those that say how a request travels, which is not the client's to decide. */
const TRAVEL =
  /^(host|connection|content-(length|type|encoding)|transfer-encoding|accept-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i

const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/)
  .refine(name => !TRAVEL.test(name), { error: 'this header cannot be set' })

/** Printable, so that one value cannot become two headers. */
const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\x20-\x7e\t]*$/)

const extraHeaders = z
  .record(headerName, headerValue)
  .refine(headers => Object.keys(headers).length <= MAX_HEADERS, { error: `there may be ${MAX_HEADERS} headers` })

const AWS = 'Amazon Bedrock is reached through a LiteLLM proxy: name it in base_url.'

/** Fields of agent servers that do nothing here at the only value that is taken, or are refused. */
const OTHERS = {
  drop_params: z
    .literal(true)
    .nullish()
    .describe('Only true: parameters that a provider does not have are left out of its requests.'),
  modify_params: z
    .literal(true)
    .nullish()
    .describe('Only true: a history is put into the form that the provider asks for.'),
  log_completions: z.literal(false).nullish().describe('Only false: answers are not logged to files.'),
  log_completions_folder: z
    .string()
    .nullish()
    .describe('Folder of `log_completions`, which is always off; it is never written to.'),
  inline_image_urls: z.literal(false).nullish().describe('Only false: images of addresses are not fetched.'),
  auth_type: z.literal('api_key').nullish().describe('Only `api_key`: there are no subscriptions.'),
  api_version: refused('Name the address of an OpenAI-compatible server in base_url.'),
  aws_access_key_id: refused(AWS),
  aws_bedrock_runtime_endpoint: refused(AWS),
  aws_profile_name: refused(AWS),
  aws_region_name: refused(AWS),
  aws_role_name: refused(AWS),
  aws_secret_access_key: refused(AWS),
  aws_session_name: refused(AWS),
  aws_session_token: refused(AWS),
  capability_overrides: refused(
    'What a model refuses is left out by itself; disable_vision, caching_prompt, native_tool_calling and api_mode say more.',
  ),
  custom_tokenizer: refused('The provider counts the tokens.'),
  fallback_strategy: refused('The fallback model is set in Settings › Model.'),
  ollama_base_url: refused('Name the address in base_url.'),
  provider_connection_id: refused('Save the model as a profile.'),
  subscription_vendor: refused('There are no subscriptions; give a key.'),
} as const

const llmFields = z
  .object({
    model: lineText(500)
      .nullish()
      .describe('Name of the model, as `provider/model`; absent is the model of the settings.'),
    base_url: addressText.nullish().describe("Address of the model's server; absent is the provider's own."),
    api_key: keyText()
      .nullish()
      .describe(
        'Key for the model, kept in memory for this conversation until Atelier closes; never stored and never shown. Absent is the key of the settings, for the same address alone.',
      ),
    extra_headers: extraHeaders
      .nullish()
      .describe('Headers of each request, kept in memory like the key and never shown.'),
    ...modelOptionFields,
    ...OTHERS,
  })
  .catchall(noOtherFields)

/** How to reach a model, and how it is asked. A field that is not carried out is refused by its name. */
export const gatewayLlm = llmFields.refine(({ model, base_url }) => Boolean(model?.trim() || !base_url?.trim()), {
  path: ['base_url'],
  error: 'it is the address of a model: name that in model',
})
export type GatewayLlm = z.output<typeof gatewayLlm>

/** The same for a model that is stored, where headers have no place: they may carry keys. */
export const storedLlm = llmFields
  .extend({ extra_headers: refused('A stored model has no headers. Give them where a conversation starts.') })
  .catchall(noOtherFields)
export type StoredLlm = z.output<typeof storedLlm>

/** The model of the settings: absent fields keep what there is. */
export const settingsLlm = storedLlm
  .extend({
    model: lineText(500).min(1).nullish().describe('Name of the model, as `provider/model`; null clears it.'),
    base_url: settingsFields.llm_base_url
      .optional()
      .describe("Address of the model's server; null is the provider's own."),
    api_key: settingsFields.llm_api_key
      .optional()
      .describe('Key for the model; null keeps the stored one, an empty text removes it.'),
  })
  .catchall(noOtherFields)
