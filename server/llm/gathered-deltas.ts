import type { CompletionRequest } from './completion.ts'

/** Faster than a person sees text grow. */
const FRAME_MS = 30

type OnDelta = CompletionRequest['onDelta']

/**
 * Passes on what is written at most once in 30 ms, so that an answer in many small pieces costs its readers no more than
 * one in few. A piece after a pause goes on at once. Text and reasoning keep their order, each for itself.
 */
export function gatherDeltas(onDelta: OnDelta): { add: OnDelta; end: () => void } {
  let waiting: Parameters<OnDelta>[0] = {}
  let timer: NodeJS.Timeout | undefined
  let passedAt = Number.NEGATIVE_INFINITY

  function passOn(): void {
    clearTimeout(timer)
    timer = undefined
    if (!waiting.text && !waiting.reasoning) return
    const gathered = waiting
    waiting = {}
    passedAt = performance.now()
    onDelta(gathered)
  }

  function add({ text, reasoning }: Parameters<OnDelta>[0]): void {
    if (text) waiting.text = (waiting.text ?? '') + text
    if (reasoning) waiting.reasoning = (waiting.reasoning ?? '') + reasoning
    if (timer) return
    const wait = passedAt + FRAME_MS - performance.now()
    if (wait <= 0) passOn()
    else timer = setTimeout(passOn, wait)
  }

  return { add, end: passOn }
}
