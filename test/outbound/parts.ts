import { afterEach, expect } from 'vitest'
import { type CallRules, Outbound } from '../../server/outbound/outbound.ts'
import { OutboundError } from '../../server/outbound/problem.ts'
import type { Resolve } from '../../server/outbound/public-host.ts'
import { type LoopbackServer, startLoopback } from '../parts/loopback.ts'

export const LIMITS = { bytes: 10_000, headersMs: 5_000, silenceMs: 5_000, totalMs: 20_000 }
/** Closed after each test. */
export const opened: { close(): unknown }[] = []

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

export async function serverThat(...given: Parameters<typeof startLoopback>): Promise<LoopbackServer> {
  const server = await startLoopback(...given)
  opened.push(server)
  return server
}

export function outbound(options: { allowed?: string[]; resolve?: Resolve } = {}): Outbound {
  const { allowed = [], resolve } = options
  const made = new Outbound({ allowedHosts: () => allowed, ...(resolve && { resolve }) })
  opened.push(made)
  return made
}

export const fetchOf = (rules: Partial<CallRules> = {}, options?: Parameters<typeof outbound>[0]) =>
  outbound(options).fetch({ namedBy: 'person', limits: LIMITS, ...rules })

export async function problemOf(call: Promise<Response>): Promise<[string, string]> {
  const error = await call.then(response => response.text()).catch(thrown => thrown)
  if (!(error instanceof OutboundError)) throw new Error(`No OutboundError: ${String(error)}`)
  expect(error.message).toMatch(/^[A-Z0-9[a-z].*\.$/)
  return [error.problem, error.message]
}
