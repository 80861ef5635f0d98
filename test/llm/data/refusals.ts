import type { ErrorCode } from '../../../server/api/contract/failures.ts'
import type { Feature } from '../../../server/llm/request-profile.ts'

/** What servers say, word for word as far as they publish it, and what is left out of the second request then. */
export const REFUSED_FEATURES: readonly [server: string, status: number, message: string, feature: Feature][] = [
  ['Ollama', 400, 'registry.ollama.ai/library/gemma:2b does not support tools', 'tools'],
  ['OpenRouter', 404, 'No endpoints found that support tool use. Try disabling "terminal".', 'tools'],
  ['vLLM', 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 'tools'],
  ['llama.cpp', 500, 'tools param requires --jinja flag', 'tools'],
  ['Groq', 400, '`tool calling` is not supported with this model', 'tools'],
  ['Mistral', 400, 'Function calling is not enabled for this model', 'tools'],
  ['OpenAI', 400, "Unsupported parameter: 'tools' is not supported with this model.", 'tools'],
  ['DeepSeek', 400, 'deepseek-reasoner does not support Function Calling', 'tools'],
  ['OpenRouter', 404, 'No endpoints found that support image input', 'images'],
  ['OpenAI', 400, 'Invalid content type. image_url is only supported by certain models.', 'images'],
  ['Mistral', 400, 'Image input is not enabled for this model', 'images'],
  ['DeepSeek', 400, 'messages[1]: unknown variant `image_url`, expected `text`', 'images'],
  ['Groq', 400, 'messages[1].content must be a string', 'images'],
  ['vLLM', 400, 'qwen2.5 is not a multimodal model', 'images'],
  ['vLLM', 400, 'At most 0 image(s) may be provided in one prompt.', 'images'],
  ['llama.cpp', 500, 'image input is not supported - hint: you may need to provide the mmproj', 'images'],
  ['LM Studio', 400, 'Model does not support images. Please use a model that does.', 'images'],
  ['Anthropic', 400, 'messages.0.content.1.image.source: Could not process image', 'images'],
  ['Google', 400, 'Unable to process input image. Please retry or report it.', 'images'],
  ['LiteLLM', 400, 'Cached content is too small: minimum token count to start caching is 4096', 'cache'],
  ['a proxy', 400, "Unknown name 'cache_control': Cannot find field.", 'cache'],
]

export const TOO_LONG: readonly string[] = [
  'prompt is too long: 210000 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000, decrease input length or `max_tokens`',
  'Please reduce the length of the messages or completion.',
  'the request exceeds the available context size. try increasing the context size or enable context shift',
  'context length exceeded',
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'invalid params, context window exceeds limit (2013)',
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  'The number of tokens to keep from the initial prompt is greater than the context length.',
]

export const MALFORMED_HISTORY: readonly string[] = [
  'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
  'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9.',
  'messages: roles must alternate between "user" and "assistant"',
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  'No tool output found for function call call_abc.',
  'No tool call found for function call output with call_id call_abc.',
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  'Please ensure that the number of function response parts is equal to the number of function call parts.',
  'Not the same number of function calls and responses',
  "Unexpected role 'user' after role 'tool'",
]

/** What must not be taken for something else. */
export const OTHERS: readonly [status: number, message: string, code: ErrorCode][] = [
  [400, "Unsupported parameter: 'frobnicate'.", 'llm_bad_request'],
  [429, 'Rate limit reached on tokens per minute. Please reduce the frequency of requests.', 'llm_rate_limited'],
  [404, 'The model `nobody` does not exist', 'llm_unknown_model'],
  [401, 'Incorrect API key provided', 'llm_authentication'],
]
