import { DEFAULT_KEEP_FIRST } from '../../server/agent/condenser.ts'
import type { Complete, Completion, CompletionRequest } from '../../server/llm/completion.ts'
import { createLog, type TestLog } from '../event/events.ts'

/** A model that sums up, as told: each answer is a text, or an error to throw; the last one is given again and again. */
export function summariser(...answers: (string | Error)[]) {
  const requests: CompletionRequest[] = []
  const complete: Complete = async request => {
    requests.push(request)
    request.signal.throwIfAborted()
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? '## Task\nSummed up.'
    if (answer instanceof Error) throw answer
    return completionOf(answer, `s${requests.length}`)
  }
  const prompts = () =>
    requests.map(({ messages: [message] }) =>
      message?.role === 'user' && message.content[0]?.type === 'text' ? message.content[0].text : '',
    )
  const options = {
    complete,
    maxEvents: 40 as number | null,
    contextWindow: null as number | null,
    keepFirst: DEFAULT_KEEP_FIRST,
    signal: new AbortController().signal,
    onRetry: () => {},
  }
  return { options, prompts, requests }
}

export function completionOf(text: string, responseId: string): Completion {
  return {
    responseId,
    text,
    reasoning: [],
    toolCalls: [],
    usage: {
      model: 'm',
      prompt_tokens: 10,
      completion_tokens: 1,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      context_window: 0,
      per_turn_token: 11,
      response_id: responseId,
    },
    cost: 0.01,
    latencyMs: 1,
    finishReason: 'stop',
  }
}

/** A task and `steps` steps of about `size` characters. */
export function worked(task: string, steps: number, size = 400): TestLog {
  const log = createLog()
  log.say(task)
  work(log, steps, size)
  return log
}

export function work(log: TestLog, steps: number, size = 400): void {
  const from = log.events.length
  for (let n = from; n < from + steps; n++) log.answer(log.call(`c${n}`, `r${n}`), `output ${n} ${'x'.repeat(size)}`)
}
