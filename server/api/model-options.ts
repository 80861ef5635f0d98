import { z } from 'zod'

/** Fields of a request that would be replaced by it, not added to. */
const OF_THE_REQUEST = new Set([
  'contents',
  'input',
  'instructions',
  'messages',
  'model',
  'prompt',
  'stream',
  'system',
  'systemInstruction',
  'tools',
])
const MAX_EXTRA_CHARACTERS = 16_384

const extraBody = z
  .record(z.string().max(100), z.unknown())
  .refine(body => JSON.stringify(body).length <= MAX_EXTRA_CHARACTERS, {
    error: `it may have ${MAX_EXTRA_CHARACTERS} characters as JSON`,
  })
  .refine(body => !Object.keys(body).some(name => OF_THE_REQUEST.has(name)), {
    error: `it adds fields to a request and cannot replace one of ${[...OF_THE_REQUEST].join(', ')}`,
  })

const seconds = z.number().min(0).max(3600)
const perToken = z.number().min(0).max(1)

/** Tokens; with less an agent cannot hold its instructions and one file. */
const MIN_CONTEXT = 16_384

/**
 * How a model is asked, in the words of agent servers. What the model's provider has no parameter for is left out of the
 * request, as `drop_params` says.
 */
const fields = {
  usage_id: z
    .string()
    .min(1)
    .max(200)
    .describe('Name under which the use of the model is counted; absent is `default`, or `profile:` and its name.'),
  temperature: z.number().min(0).max(2).describe("Sampling temperature; absent is the provider's default."),
  top_p: z.number().min(0).max(1).describe("Share of the likeliest tokens to choose from; absent is the provider's."),
  top_k: z.number().min(0).describe("Number of the likeliest tokens to choose from; absent is the provider's."),
  seed: z.int().describe('Seed of the sampling, where the provider has one.'),
  max_output_tokens: z.int().min(1).describe("Tokens that one answer may have; absent is the provider's limit."),
  max_input_tokens: z
    .int()
    .min(MIN_CONTEXT)
    .describe(
      "Tokens that the model can read at once: earlier steps are summed up before; absent is the price list's.",
    ),
  reasoning_effort: z
    .string()
    .regex(/^[a-z]{1,20}$/)
    .describe("How much the model thinks, such as `low`, `medium` or `high`; absent is the provider's default."),
  reasoning_summary: z
    .enum(['auto', 'concise', 'detailed'])
    .describe('How the thinking is summed up in the Responses API; absent is `auto`.'),
  extended_thinking_budget: z
    .int()
    .min(1)
    .describe('Tokens for thinking, of models of Anthropic and Google that take a budget in place of an effort.'),
  enable_encrypted_reasoning: z
    .boolean()
    .describe('Whether earlier thinking goes back to the Responses API in encrypted form; absent is true.'),
  prompt_cache_retention: z
    .enum(['24h', 'in-memory', 'in_memory'])
    .describe('How long OpenAI keeps a cached prompt, for models that know it; absent is `24h`.'),
  caching_prompt: z.boolean().describe('Whether the provider is asked to cache the prompt; absent is true.'),
  native_tool_calling: z
    .boolean()
    .describe('false describes the tools in the prompt and reads calls from the text; absent tries the API first.'),
  disable_vision: z.boolean().describe('true leaves images out and says so in their place.'),
  disable_stop_word: z.boolean().describe('true sends no stop word where calls are read from the text.'),
  force_string_serializer: z
    .literal(true)
    .describe('true sends each message as one text over Chat Completions: without images and cache marks.'),
  stream: z.boolean().describe('false asks for whole answers: nothing is shown before they are there. Absent is true.'),
  num_retries: z.int().min(0).max(50).describe('Calls in all before the agent stops; absent is 5.'),
  retry_min_wait: seconds.describe('Seconds that a wait before the next call lasts at least; absent is 8.'),
  retry_max_wait: seconds.describe('Seconds that it lasts at most; absent is 64.'),
  retry_multiplier: seconds.describe('Seconds of the first wait, doubled for each one after it; absent is 8.'),
  timeout: z
    .number()
    .positive()
    .max(3600)
    .describe(
      'Seconds that the model may be silent, or take for a whole answer; absent is 300, and 600 for whole ones.',
    ),
  max_message_chars: z
    .int()
    .min(100)
    .describe('Characters of one message that the model reads; what is between its beginning and end is cut out.'),
  input_cost_per_token: perToken.describe('US dollars for one token of a prompt, in place of the price list.'),
  output_cost_per_token: perToken.describe('US dollars for one token of an answer, in place of the price list.'),
  api_mode: z
    .enum(['auto', 'chat', 'responses'])
    .describe("Which of OpenAI's APIs is asked; 422 for `responses` where the provider has another API."),
  model_canonical_name: z
    .string()
    .min(1)
    .max(500)
    .describe('Name of the model behind an alias, by which its abilities and its context window are looked up.'),
  openrouter_site_url: z.string().max(500).describe('Address of the app, which OpenRouter is told.'),
  openrouter_app_name: z.string().max(200).describe('Name of the app, which OpenRouter is told.'),
  litellm_extra_body: extraBody.describe(
    'Fields to add to each request, for servers that know them. They are stored and shown: keys belong in `extra_headers`.',
  ),
} as const

/** All that is given and not null. */
export const modelOptions = z.object(fields).partial()
export type ModelOptions = z.output<typeof modelOptions>
type Field = keyof typeof fields

/** The same for requests, where null is as good as absent. */
export const modelOptionFields = Object.fromEntries(
  Object.entries(fields).map(([name, field]) => [name, field.nullish().describe(field.description ?? '')]),
) as { [Name in Field]: z.ZodOptional<z.ZodNullable<(typeof fields)[Name]>> }

/** The options among the fields of a request. */
export function optionsIn(given: Partial<Record<Field, unknown>>): ModelOptions {
  const names = Object.keys(fields) as Field[]
  const named = names.flatMap(name => (given[name] === undefined || given[name] === null ? [] : [[name, given[name]]]))
  return modelOptions.parse(Object.fromEntries(named))
}

/** Options, and changes to them: null removes. */
export function mergedOptions(before: ModelOptions, changes: Partial<Record<Field, unknown>>): ModelOptions {
  return optionsIn({ ...before, ...changes })
}
