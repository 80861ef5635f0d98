import { type Bound, KIB, MIB } from './bound.ts'

/** On answers of everybody that Atelier calls: models, tool servers, git hosts, lookups of secrets. */
export const NETWORK_BOUNDS = {
  answerHeaders: {
    limit: 64 * KIB,
    unit: 'bytes',
    of: 'headers of an answer to a call that Atelier makes itself',
    beyond: 'The call fails.',
  },
  modelAnswer: {
    limit: 16 * MIB,
    unit: 'bytes',
    of: 'answer of a model that comes whole, or one event of a stream',
    beyond: 'The answer is dropped, and the model is asked to go on in smaller steps.',
  },
  modelStream: {
    limit: 128 * MIB,
    unit: 'bytes',
    of: 'stream of one answer of a model',
    beyond: 'The answer is dropped, and the model is asked to go on in smaller steps.',
  },
  modelText: {
    limit: MIB,
    unit: 'characters',
    of: 'text and thinking of one answer of a model',
    beyond: 'The answer is dropped, and the model is asked to go on in smaller steps.',
  },
  toolArguments: {
    limit: 2 * MIB,
    unit: 'characters',
    of: 'arguments of one tool call',
    beyond: 'The answer ends there, the call is not carried out, and the model reads why.',
  },
  toolCalls: {
    limit: 128,
    unit: 'items',
    of: 'tool calls of one answer of a model',
    beyond: 'The answer ends there, and the model reads why.',
  },
  modelName: {
    limit: 256,
    unit: 'characters',
    of: 'name of a tool that a model calls, or id of a call or an answer',
    beyond: 'The name is cut, and the id replaced by its digest.',
  },
  modelParts: {
    limit: 500_000,
    unit: 'items',
    of: 'pieces in which one answer of a model comes',
    beyond: 'The answer is dropped, and the model is asked to go on in smaller steps.',
  },
  modelBlocks: {
    limit: 2_000,
    unit: 'items',
    of: 'blocks of text and thinking in one answer of a model',
    beyond: 'The answer is dropped, and the model is asked to go on in smaller steps.',
  },
  modelSilence: {
    limit: 300_000,
    unit: 'milliseconds',
    of: 'silence of a model, also before its first word: a local model may load or read a long prompt for minutes',
    beyond: 'The call is ended and asked once more; then the agent stops and says so.',
  },
  modelWhole: {
    limit: 600_000,
    unit: 'milliseconds',
    of: 'time until an answer comes from a model server that does not stream',
    beyond: 'The call is ended and asked once more; then the agent stops and says so.',
  },
  modelProgress: {
    limit: 600_000,
    unit: 'milliseconds',
    of: 'time in which an answer that is coming has to grow by 100 characters',
    beyond: 'The call is ended and asked once more; then the agent stops and says so.',
  },
  modelTotal: {
    limit: 3_600_000,
    unit: 'milliseconds',
    of: 'time for one answer of a model',
    beyond: 'The call is ended and asked once more; then the agent stops and says so.',
  },
  localServerList: {
    limit: MIB,
    unit: 'bytes',
    of: 'list of models of a server on this machine',
    beyond: 'The server is not offered.',
  },
  toolServerMessage: {
    limit: 16 * MIB,
    unit: 'bytes',
    of: 'one message of a tool server',
    beyond: 'The call fails, and the model reads why.',
  },
  toolServerMessages: {
    limit: 20_000,
    unit: 'items',
    of: 'messages that a tool server sends in ten seconds',
    beyond: 'It is stopped, and its log says why.',
  },
  toolServerRate: {
    limit: 64 * MIB,
    unit: 'bytes',
    of: 'messages that a tool server sends in ten seconds, in all',
    beyond: 'It is stopped, and its log says why.',
  },
  toolDescription: {
    limit: 64 * KIB,
    unit: 'characters',
    of: 'description of a tool of a tool server',
    beyond: 'The description is left out; the tool can be called.',
  },
  toolName: {
    limit: 256,
    unit: 'characters',
    of: 'name that a tool server gives a tool',
    beyond: 'The tool is left out, and the log of the server says so.',
  },
  signInAnswer: {
    limit: MIB,
    unit: 'bytes',
    of: 'answer while signing in to a tool server',
    beyond: 'The sign-in fails.',
  },
  secretLookup: {
    limit: 64 * KIB,
    unit: 'bytes',
    of: 'secret that is looked up at an address',
    beyond: 'The command that names it does not run.',
  },
  gitProviderAnswer: {
    limit: 256 * KIB,
    unit: 'bytes',
    of: 'answer of a git provider about a token, or of a git server about a repository',
    beyond: 'The token counts as not checked; the repository is left to the clone.',
  },
} as const satisfies Record<string, Bound>
