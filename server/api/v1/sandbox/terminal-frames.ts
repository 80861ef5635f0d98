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
    owner: z
      .enum(['agent', 'person'])
      .describe('Who gives the shell of the agent its commands now: the agent while it works, otherwise a person.'),
  }),
  z.object({
    type: z.literal('program'),
    running: z.boolean().describe('Whether a program runs in the shell of the agent, which what is typed goes to.'),
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

/** Over the socket of an agent's shell, a client also gives it commands. */
export const agentShellClientFrame = z.discriminatedUnion('type', [
  ...terminalClientFrame.options,
  z.object({
    type: z.literal('run'),
    command: z.string().trim().min(1).max(20_000).describe('Command line, as the agent would give it to its shell.'),
  }),
])
export type AgentShellClientFrame = z.output<typeof agentShellClientFrame>

/** The content of a binary frame. */
export const terminalBytes = z.string().meta({ format: 'binary' })
