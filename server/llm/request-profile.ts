import type { ModelOptions } from '../api/model-options.ts'
import type { CompletionRequest } from './completion.ts'
import type { ErrorEvidence } from './error-evidence.ts'
import type { ModelTarget } from './provider.ts'

/**
 * What a model or its server may lack. `signatures` are what an answer carried for its provider alone (signatures, encrypted
 * thinking); `cache` stands for everything that only asks to cache, `sampling` for temperature, seed and their like.
 */
export type Feature =
  | 'tools'
  | 'images'
  | 'thinking'
  | 'signatures'
  | 'cache'
  | 'stop-word'
  | 'streaming'
  | 'effort'
  | 'sampling'

/** How a request is put to a model. */
export interface RequestProfile {
  without: ReadonlySet<Feature>
  /** null leaves it to the provider */
  maxOutputTokens: number | null
}

/**
 * What servers refused, by model and address, for as long as the service lives: a request is refused once, and put
 * differently ever after.
 */
export class LearnedProfiles {
  readonly #profiles = new Map<string, RequestProfile>()

  of(target: ModelTarget): RequestProfile {
    return this.#profiles.get(keyOf(target)) ?? profileByName(target)
  }

  learn(target: ModelTarget, profile: RequestProfile): void {
    this.#profiles.set(keyOf(target), profile)
  }
}

function keyOf({ baseUrl, model, known }: ModelTarget): string {
  return `${baseUrl} ${model} ${known}`
}

/** Families that are known, so that not even the first request fails; everything else is tried with all features. */
function profileByName({ known }: ModelTarget): RequestProfile {
  const without = new Set<Feature>()
  if (WITHOUT_TOOLS.test(known)) without.add('tools')
  if (WITHOUT_VISION.test(known)) without.add('images')
  return { without, maxOutputTokens: null }
}

const WITHOUT_TOOLS =
  /(^|\/)(gemma-?[1-3]?[:n-]|codellama|starcoder|llama-?2|vicuna|wizardcoder|phi-?[1-3]\b|tinyllama|o1-(mini|preview)|claude-2|deepseek-coder|deepseek-r1:)/i

const WITHOUT_VISION =
  /(^|\/)(gpt-3\.5|o1-(mini|preview)|o3-mini|gpt-oss|deepseek-(chat|reasoner|coder|r1|v[23])|codestral|codellama|starcoder|qwen-?[23](\.5)?-coder|kimi-k2(?!\.)|glm-4\.[567](?!v)|minimax-m[12]|llama-?(2|3\.[13])|claude-2)/i

interface Refusal {
  feature: Feature
  says: RegExp
  /** false when it may be due to this one request */
  lasting: boolean
}

/** In the words of OpenAI, Anthropic, Google, OpenRouter, Groq, Mistral, Ollama, vLLM, llama.cpp, SGLang and LM Studio. */
const REFUSALS: readonly Refusal[] = [
  {
    feature: 'tools',
    lasting: true,
    says: /does not support (tool|function)|support tool use|(tool|function)[ _-]?call(ing|s)?`? (is|are) not (supported|enabled|available)|'tools' is not supported|"auto" tool choice requires|tools param requires|tool_choice.{0,40}not supported|unsupported parameter:? '?tools/i,
  },
  {
    feature: 'images',
    lasting: true,
    says: /support image (input|analysis)|not support (image|vision|multimodal)|image_url is only supported|image input is not (supported|enabled)|image.{0,30}not supported|unknown variant `image_url`|not a multimodal model|at most 0 image|content must be a string|no endpoints found that support image/i,
  },
  {
    feature: 'images',
    lasting: false,
    says: /could not process image|(invalid|unsupported|corrupt|unable to process|failed to (load|download|decode)).{0,20}image|image.{0,40}(exceeds|too large|too small|dimensions|not valid)/i,
  },
  {
    feature: 'signatures',
    lasting: false,
    says: /signature|expected `?(thinking|redacted_thinking)|thinking.{0,40}blocks? .{0,60}(cannot be modified|must)|encrypted.?content|of type 'reasoning'|required 'reasoning' item|thought.?signature/i,
  },
  { feature: 'cache', lasting: true, says: /start caching|cache_control|cached.?content|prompt_cache/i },
  { feature: 'stop-word', lasting: true, says: /'stop' is not supported|stop(_sequences?)?\b.{0,30}not supported/i },
  {
    feature: 'streaming',
    lasting: true,
    says: /verified to stream|does not support stream|stream(ing)?['"`]? (is |are )?(not|un)[ -]?(supported|allowed|enabled|available)|unsupported (parameter|value):? ['"`]?stream['"`]?\b/i,
  },
  { feature: 'effort', lasting: true, says: /reasoning[._]?effort|output_config|\beffort\b|thinking_?level/i },
  {
    feature: 'sampling',
    lasting: true,
    says: /\b(temperature|top_?[pk]|seed)\b.{0,80}(not (be )?(supported|specified|permitted|allowed)|unsupported|does not support|deprecated|incompatible|cannot)|(unsupported|unknown|unrecognized|invalid).{0,40}\b(temperature|top_?[pk]|seed)\b/i,
  },
  {
    feature: 'thinking',
    lasting: true,
    says: /thinking|thinkingConfig|reasoning.{0,20}(not supported|must be verified)|must be verified to generate reasoning summar/i,
  },
]

/**
 * What to do differently after a refusal, null when nothing of this helps.
 * `lasting`: the same would be refused the next time.
 */
export function profileAfter(
  evidence: ErrorEvidence,
  profile: RequestProfile,
  request: CompletionRequest,
  options: ModelOptions,
): { profile: RequestProfile; lasting: boolean } | null {
  if (evidence.fault === 'unstreamed') {
    return { profile: { ...profile, without: new Set([...profile.without, 'streaming']) }, lasting: true }
  }
  if (evidence.status === undefined || RETRY_AS_IT_IS.has(evidence.status)) return null
  const limit = outputLimitIn(evidence.text)
  if (limit && limit.tokens < (profile.maxOutputTokens ?? Number.POSITIVE_INFINITY)) {
    return { profile: { ...profile, maxOutputTokens: limit.tokens }, lasting: limit.lasting }
  }
  const refusal = REFUSALS.find(
    ({ feature, says }) => says.test(evidence.text) && !profile.without.has(feature) && uses(request, feature, options),
  )
  if (!refusal) return null
  return { profile: { ...profile, without: new Set([...profile.without, refusal.feature]) }, lasting: refusal.lasting }
}

/** Statuses that say nothing about the request's form. */
const RETRY_AS_IT_IS = new Set([401, 402, 403, 408, 429])

function uses({ tools, messages }: CompletionRequest, feature: Feature, options: ModelOptions): boolean {
  switch (feature) {
    case 'effort':
      return options.reasoning_effort !== undefined
    case 'sampling':
      return SAMPLING.some(name => options[name] !== undefined)
    case 'tools':
      return tools.length > 0
    case 'images':
      return messages.some(
        message =>
          (message.role === 'user' && message.content.some(part => part.type === 'image')) ||
          (message.role === 'tool' && message.imageUrls.length > 0),
      )
    case 'signatures':
      return messages.some(
        message => message.role === 'assistant' && (message.providerMetadata || message.reasoning.length > 0),
      )
    default:
      return true
  }
}

const SAMPLING = ['temperature', 'top_p', 'top_k', 'seed'] as const

/** Less than this is not worth an answer: the conversation is too long then. */
const USEFUL_OUTPUT = 4_096

function outputLimitIn(text: string): { tokens: number; lasting: boolean } | null {
  const exceeded = /exceed context limit: (\d+) \+ \d+ > (\d+)/.exec(text)
  if (exceeded) {
    const tokens = Number(exceeded[2]) - Number(exceeded[1])
    return tokens >= USEFUL_OUTPUT ? { tokens, lasting: false } : null
  }
  const maximum =
    /> (\d+), which is the maximum allowed number of output tokens|supports at most (\d+) completion tokens/.exec(text)
  const tokens = Number(maximum?.[1] ?? maximum?.[2])
  return tokens > 0 ? { tokens, lasting: true } : null
}
