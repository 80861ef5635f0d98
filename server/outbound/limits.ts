import { BOUNDS } from '../domain/bounds.ts'
import type { AnswerLimits } from './answer-body.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const NEVER = Number.POSITIVE_INFINITY

/** What each kind of call may take. Whoever waits for a call usually gives it up sooner, with its signal. */
export const ANSWER_LIMITS = {
  /** The reader of the answer knows what is progress, and is stricter. */
  model: {
    bytes: BOUNDS.modelAnswer.limit,
    stream: {
      bytes: BOUNDS.modelStream.limit,
      eventBytes: BOUNDS.modelAnswer.limit,
      silenceMs: BOUNDS.modelSilence.limit,
    },
    headersMs: BOUNDS.modelWhole.limit,
    silenceMs: BOUNDS.modelSilence.limit,
    totalMs: BOUNDS.modelTotal.limit,
  },
  localServer: { bytes: BOUNDS.localServerList.limit, headersMs: SECOND, silenceMs: SECOND, totalMs: SECOND },
  /** Calls run for as long as their tools do, and a server may be silent until it has something to say. */
  toolServer: {
    bytes: BOUNDS.toolServerMessage.limit,
    stream: { bytes: NEVER, eventBytes: BOUNDS.toolServerMessage.limit, silenceMs: NEVER },
    headersMs: HOUR,
    silenceMs: 60 * SECOND,
    totalMs: HOUR,
  },
  signIn: {
    bytes: BOUNDS.signInAnswer.limit,
    headersMs: 30 * SECOND,
    silenceMs: 30 * SECOND,
    totalMs: 30 * SECOND,
  },
  secretLookup: {
    bytes: BOUNDS.secretLookup.limit,
    headersMs: 30 * SECOND,
    silenceMs: 30 * SECOND,
    totalMs: 30 * SECOND,
  },
  git: { bytes: BOUNDS.gitProviderAnswer.limit, headersMs: 8 * SECOND, silenceMs: 8 * SECOND, totalMs: 8 * SECOND },
  gitData: {
    bytes: BOUNDS.gitDataAnswer.limit,
    headersMs: 15 * SECOND,
    silenceMs: 8 * SECOND,
    totalMs: 15 * SECOND,
  },
  /** The headers of the answer to a push come only when everything is sent. */
  gitTransfer: {
    bytes: BOUNDS.gitTransferAnswer.limit,
    headersMs: BOUNDS.sandboxLongCommand.limit,
    silenceMs: 120 * SECOND,
    totalMs: BOUNDS.sandboxLongCommand.limit,
  },
  checkLog: {
    bytes: BOUNDS.checkLog.limit,
    headersMs: 15 * SECOND,
    silenceMs: 8 * SECOND,
    totalMs: 15 * SECOND,
  },
  updateDescription: {
    bytes: BOUNDS.updateDescription.limit,
    headersMs: 20 * SECOND,
    silenceMs: 20 * SECOND,
    totalMs: 60 * SECOND,
  },
  /** What the signed description says of its size is stricter. */
  updatePackage: {
    bytes: BOUNDS.updatePackage.limit,
    headersMs: 30 * SECOND,
    silenceMs: 60 * SECOND,
    totalMs: 12 * HOUR,
  },
} as const satisfies Record<string, AnswerLimits>
