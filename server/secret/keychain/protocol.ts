import { z } from 'zod'

/** What the service asks of its keychain process. Values travel only over the private channel between the two. */
export const keychainRequest = z.discriminatedUnion('op', [
  z.object({ id: z.int(), op: z.literal('probe'), service: z.string() }),
  z.object({ id: z.int(), op: z.literal('unlock'), service: z.string() }),
  z.object({ id: z.int(), op: z.literal('list'), service: z.string() }),
  z.object({ id: z.int(), op: z.literal('get'), service: z.string(), account: z.string().min(1) }),
  z.object({ id: z.int(), op: z.literal('delete'), service: z.string(), account: z.string().min(1) }),
  z.object({
    id: z.int(),
    op: z.literal('set'),
    service: z.string(),
    account: z.string().min(1),
    value: z.string().min(1),
  }),
])
type KeychainRequest = z.output<typeof keychainRequest>

/** `value` is null for everything but a found item, and a list: its accounts as JSON. A reason never contains a value. */
export const keychainReply = z.discriminatedUnion('ok', [
  z.object({ id: z.int(), ok: z.literal(true), value: z.string().nullable() }),
  z.object({ id: z.int(), ok: z.literal(false), state: z.enum(['locked', 'missing', 'failed']), reason: z.string() }),
])
export type KeychainReply = z.output<typeof keychainReply>

/** What the process says once, when it can be asked: until then it is slow to start, not silent. */
export const KEYCHAIN_STARTED = 'started'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
export type KeychainCall = WithoutId<KeychainRequest>
export type KeychainAnswer = WithoutId<KeychainReply>
