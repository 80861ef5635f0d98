import { z } from 'zod'
import { isKept, LOST_NAME } from '../../contract/lost-name.ts'
import { argumentText } from '../../event/argument-text.ts'
import { shellWords } from '../../event/shell-words.ts'
import { keyText } from '../../input-text.ts'

export const serverUrl = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const problem = urlProblem(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

function urlProblem(text: string): string | undefined {
  if (text === '') return 'URL cannot be empty'
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/.exec(text)
  if (!match) return 'URL must include a scheme (http:// or https://)'
  if (!match[2]) return 'URL must include a valid domain/host'
  if (!/^(https?|wss?)$/i.test(match[1] ?? '')) return 'URL scheme must be http, https, ws, or wss'
  return undefined
}

export const serverTimeout = z
  .int()
  .refine(seconds => seconds >= 1, 'Timeout must be positive')
  .refine(seconds => seconds <= 3600, 'Timeout cannot exceed 3600 seconds')

const stdioName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]+$/)
  .refine(isKept, LOST_NAME)
/** Without a name it is called after its address. */
const sseServer = z.object({
  url: serverUrl.describe('Address of the tool server.'),
  api_key: z
    .string()
    .nullish()
    .describe(
      'Key of the server, sent as a bearer token; stored in the keychain. The mask or null keeps the stored one.',
    ),
  name: stdioName.optional().describe('Name of the tool server; absent is made of its address.'),
})
const shttpServer = z.object({
  ...sseServer.shape,
  timeout: serverTimeout.nullish().describe('Seconds that a call of its tools may take.'),
})

const stdioCommand = z.string().trim().regex(/^\S+$/)
export const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
const stdioServer = z.object({
  name: stdioName.describe('Name of the tool server.'),
  command: stdioCommand.describe('Command that starts the tool server in the sandbox.'),
  args: z.array(z.string()).default([]).describe('Arguments of the command.'),
  env: environment
    .default({})
    .describe(
      'Variables that the command gets beside those of the sandbox; values that look secret are stored in the keychain.',
    ),
})

/** Tool servers as they are stored and returned. */
export const mcpConfig = z.strictObject({
  sse_servers: z.array(sseServer).default([]).describe('Tool servers at an address, over Server-Sent Events.'),
  stdio_servers: z.array(stdioServer).default([]).describe('Tool servers that are commands in the sandbox.'),
  shttp_servers: z.array(shttpServer).default([]).describe('Tool servers at an address, over streamable HTTP.'),
})
export type McpConfig = z.output<typeof mcpConfig>

/** A server by its URL alone. */
const fromUrl = (given: string | object) => (typeof given === 'string' ? { url: given } : given)

const MAX_ARGUMENT = 32_768

export const argsInput = z
  .union([z.array(argumentText(MAX_ARGUMENT)).max(500), argumentText(MAX_ARGUMENT)])
  .transform(given => (typeof given === 'string' ? shellWords(given) : given))

/** `A=1,B=2` */
export const environmentInput = z
  .union([environment, z.string()])
  .transform(given => (typeof given === 'string' ? pairs(given) : given))
  .pipe(z.record(environment.keyType, argumentText(MAX_ARGUMENT)))

function pairs(text: string): Record<string, string> {
  const parts = text.split(',').filter(part => part.trim() !== '')
  return Object.fromEntries(parts.map(part => [part.replace(/=.*/s, '').trim(), part.replace(/^[^=]*=?/, '').trim()]))
}

const newKey = keyText()
  .nullish()
  .describe(sseServer.shape.api_key.description ?? '')
const newSseServer = sseServer.extend({ api_key: newKey })
const newShttpServer = shttpServer.extend({ api_key: newKey })

/** What clients may send: also a URL for a server, one text for all arguments, and `A=1,B=2` for the environment. */
export const mcpConfigInput = z.strictObject({
  sse_servers: z
    .array(z.union([newSseServer, z.string()]).transform(fromUrl).pipe(newSseServer))
    .default([])
    .describe('Tool servers at an address, over Server-Sent Events; an address alone is a server too.'),
  stdio_servers: z
    .array(
      z.object({
        ...stdioServer.shape,
        args: argsInput.default([]).describe('Arguments of the command, as a list or as one text in shell words.'),
        env: environmentInput
          .default({})
          .describe('Variables that the command gets, by name or as a list of `NAME=value`.'),
      }),
    )
    .default([])
    .describe('Tool servers that are commands in the sandbox.'),
  shttp_servers: z
    .array(z.union([newShttpServer, z.string()]).transform(fromUrl).pipe(newShttpServer))
    .default([])
    .describe('Tool servers at an address, over streamable HTTP; an address alone is a server too.'),
})
