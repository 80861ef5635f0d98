import { expect } from 'vitest'
import { said, tool } from '../../parts/client/gateway-conversation.ts'
import { type Begun, type FieldCase, systemOf } from '../../parts/gateway-fields.ts'

const FINISH = tool('finish', { message: 'All done.' })
const IMAGE = {
  initial_message: {
    role: 'user',
    content: [{ type: 'image', image_urls: ['data:image/png;base64,iVBORw0KGgo='] }],
  },
}
const first = ({ requests }: Begun) => requests[0]?.body
const text = ({ requests }: Begun) => JSON.stringify(requests.at(-1)?.body.messages)
/** A field of the request's body. */
const body = (given: unknown, name: string, value: unknown, wire: 'openai' | 'anthropic' | 'gemini' = 'openai') =>
  ({ given, wire, sees: begun => expect(first(begun)?.[name]).toEqual(value) }) satisfies FieldCase
const waits = ({ events }: Begun) => events.filter(({ key }) => key === 'llm_retry').map(({ value }) => value.delay_ms)
const metrics = ({ info }: Begun) => info.stats.usage_to_metrics.default
const failing = (count: number) => [...Array(count).keys()].map(() => ({ fault: 'overloaded' as const }))
const atOnce = { retry_min_wait: 0, retry_multiplier: 0 }
const refused = (value: unknown, ...inert: unknown[]): FieldCase => ({ refused: value, inert })

/** Each field of a model, as a start request names it. */
export const LLM_FIELDS: Readonly<Record<string, FieldCase>> = {
  model: body('openai/another', 'model', 'another'),
  base_url: { given: undefined, sees: ({ requests }) => expect(requests.length).toBe(1) },
  api_key: {
    given: 'sk-of-this-client',
    sees: ({ requests }) => expect(requests[0]?.headers.authorization).toBe('Bearer sk-of-this-client'),
  },
  extra_headers: {
    given: { 'X-Trace': 'trace-0123456789' },
    sees: ({ requests, info, events }) => {
      expect(requests[0]?.headers['x-trace']).toBe('trace-0123456789')
      expect(JSON.stringify([info, events])).not.toContain('trace-0123456789')
    },
  },
  usage_id: {
    given: 'my-agent',
    sees: ({ info }) => {
      expect(Object.keys(info.stats.usage_to_metrics)).toContain('my-agent')
      expect(info.metrics).toMatchObject({ accumulated_token_usage: { prompt_tokens: 100 } })
    },
  },
  temperature: body(0.25, 'temperature', 0.25),
  top_p: body(0.5, 'top_p', 0.5),
  top_k: body(7, 'top_k', 7),
  seed: body(11, 'seed', 11),
  max_output_tokens: body(777, 'max_tokens', 777),
  max_input_tokens: {
    given: 20_000,
    sees: begun => expect(metrics(begun)).toMatchObject({ accumulated_token_usage: { context_window: 20_000 } }),
  },
  reasoning_effort: body('low', 'reasoning_effort', 'low'),
  reasoning_summary: {
    given: 'detailed',
    with: { api_mode: 'responses', model: 'openai/gpt-5' },
    sees: begun => expect(first(begun).reasoning).toMatchObject({ summary: 'detailed' }),
  },
  extended_thinking_budget: body(2_000, 'thinking', { type: 'enabled', budget_tokens: 2_000 }, 'anthropic'),
  enable_encrypted_reasoning: {
    given: false,
    with: { api_mode: 'responses', model: 'openai/gpt-5' },
    sees: begun => expect(first(begun).include).toBeUndefined(),
  },
  prompt_cache_retention: {
    given: 'in-memory',
    with: { api_mode: 'responses', model: 'openai/gpt-5' },
    sees: begun => expect(first(begun).prompt_cache_retention).toBe('in_memory'),
  },
  caching_prompt: {
    given: false,
    wire: 'anthropic',
    sees: begun => expect(JSON.stringify(first(begun))).not.toContain('cache_control'),
  },
  native_tool_calling: {
    given: false,
    turns: [{ text: '<function=finish>\n<parameter=message>All done.</parameter>\n</function>' }],
    sees: ({ requests: [request], events }) => {
      expect(request?.body.tools).toBeUndefined()
      expect(request && systemOf(request)).toContain('<function=TOOL_NAME>')
      expect(events.find(({ kind }) => kind === 'ActionEvent')).toMatchObject({ tool_name: 'finish' })
    },
  },
  disable_vision: { given: true, with: IMAGE, sees: begun => expect(text(begun)).not.toContain('image_url') },
  disable_stop_word: {
    given: true,
    with: { native_tool_calling: false },
    turns: [{ text: '<function=finish>\n<parameter=message>All done.</parameter>\n</function>' }],
    sees: begun => expect(first(begun).stop).toBeUndefined(),
  },
  force_string_serializer: {
    given: true,
    with: IMAGE,
    sees: begun => {
      for (const { content } of first(begun).messages) expect(typeof (content ?? '')).toBe('string')
    },
  },
  stream: { given: false, sees: ({ requests }) => expect(requests[0]?.stream).toBe(false) },
  num_retries: {
    given: 2,
    with: atOnce,
    turns: failing(2),
    ends: 'error',
    sees: ({ requests }) => expect(requests.length).toBe(2),
  },
  retry_min_wait: {
    given: 0.2,
    with: { retry_multiplier: 0 },
    turns: [...failing(1), FINISH],
    sees: begun => expect(waits(begun)[0]).toBeOneOf([...Array(51).keys()].map(extra => 200 + extra)),
  },
  retry_max_wait: {
    given: 0.1,
    turns: [...failing(1), FINISH],
    sees: begun => expect(waits(begun)).toEqual([100]),
  },
  retry_multiplier: {
    given: 0.3,
    turns: [...failing(1), FINISH],
    sees: begun => expect(waits(begun)[0]).toBeOneOf([...Array(76).keys()].map(extra => 300 + extra)),
  },
  timeout: {
    given: 0.3,
    with: { num_retries: 1 },
    turns: [{ fault: 'hang' }],
    ends: 'error',
    sees: ({ events }) => expect(JSON.stringify(events)).toContain('ConversationErrorEvent'),
  },
  max_message_chars: {
    given: 200,
    with: { initial_message: said('a'.repeat(5_000)) },
    sees: begun => {
      expect(text(begun)).toContain('The middle of this message was cut out')
      expect(text(begun)).not.toContain('a'.repeat(201))
    },
  },
  input_cost_per_token: { given: 0.001, sees: begun => expect(metrics(begun).accumulated_cost).toBeCloseTo(0.1) },
  output_cost_per_token: { given: 0.01, sees: begun => expect(metrics(begun).accumulated_cost).toBeCloseTo(0.2) },
  api_mode: { given: 'responses', sees: ({ requests }) => expect(requests[0]?.wire).toBe('responses') },
  model_canonical_name: {
    given: 'openai/gpt-3.5-turbo',
    with: IMAGE,
    sees: begun => expect(text(begun)).not.toContain('image_url'),
  },
  openrouter_site_url: {
    given: 'https://client.example',
    with: { model: 'openrouter/some/model' },
    sees: ({ requests }) => expect(requests[0]?.headers['http-referer']).toBe('https://client.example'),
  },
  openrouter_app_name: {
    given: 'A client',
    with: { model: 'openrouter/some/model' },
    sees: ({ requests }) => expect(requests[0]?.headers['x-title']).toBe('A client'),
  },
  litellm_extra_body: body({ trace_version: '1.0' }, 'trace_version', '1.0'),
  drop_params: refused(false, true),
  modify_params: refused(false, true),
  log_completions: refused(true, false),
  log_completions_folder: refused(7, 'logs/completions'),
  inline_image_urls: refused(true, false),
  auth_type: refused('subscription', 'api_key'),
  api_version: refused('2024-06-01'),
  aws_access_key_id: refused('AKIA'),
  aws_bedrock_runtime_endpoint: refused('https://bedrock.example'),
  aws_profile_name: refused('work'),
  aws_region_name: refused('eu-central-1'),
  aws_role_name: refused('agent'),
  aws_secret_access_key: refused('hidden'),
  aws_session_name: refused('agent'),
  aws_session_token: refused('token'),
  capability_overrides: refused({ supports_vision: false }, {}),
  custom_tokenizer: refused('some/tokenizer'),
  fallback_strategy: refused({ fallback_llms: [{}] }),
  ollama_base_url: refused('http://localhost:11434'),
  provider_connection_id: refused('connection'),
  subscription_vendor: refused('openai'),
}
