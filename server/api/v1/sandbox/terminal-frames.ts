import { z } from 'zod'
import { terminalSize } from './terminal-size.ts'

/** Over the socket of a terminal, beside the bytes that its program writes, which come in binary frames. */
export const terminalFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('screen'),
    ...terminalSize,
    bytes: z
      .int()
      .describe(
        'How many of the bytes that follow were written before. The client resets its terminal, gives it these, and answers no question that is in them.',
      ),
  }),
  z.object({ type: z.literal('size'), ...terminalSize }),
  z.object({
    type: z.literal('typed'),
    bytes: z.int().describe('How many more bytes of what this client typed were handed to the program.'),
  }),
  z.object({
    type: z.literal('ended'),
    exit_code: z.int().nullable().describe('Exit status of the shell; null when the sandbox or its engine ended it.'),
  }),
  z.object({
    type: z.literal('owner'),
    owner: z.enum(['agent', 'person']).describe('Who types into the shell of the agent.'),
  }),
  z.object({
    type: z.literal('refused'),
    code: z.string().describe('Error code of the refusal, to branch on.'),
    detail: z.string().describe('What happened and what to do next, in words for people.'),
  }),
])
export type TerminalFrame = z.output<typeof terminalFrame>

/** What a client sends beside the bytes that are typed, which it sends in binary frames. */
export const terminalClientFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('shown'),
    bytes: z
      .int()
      .min(0)
      .max(2 ** 40)
      .describe('How many more bytes the client has given to its terminal, those of the screen among them.'),
  }),
  z.object({ type: z.literal('resize'), ...terminalSize }),
  z.object({
    type: z.literal('answer'),
    text: z
      .string()
      .max(256)
      .describe(
        'What the terminal answers to a question of the program. Of several clients only the one that was used last is heard.',
      ),
  }),
])
export type TerminalClientFrame = z.output<typeof terminalClientFrame>

/** The content of a binary frame. */
export const terminalBytes = z.string().meta({ format: 'binary' })
