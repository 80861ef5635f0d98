import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCondenser, agentSource } from '../../../server/api/agent-server/agent.ts'
import { agentContext, clientSkill } from '../../../server/api/agent-server/agent-context.ts'
import { gatewayLlm } from '../../../server/api/agent-server/llm.ts'
import { startConversationRequest } from '../../../server/api/agent-server/start-request.ts'
import { type FieldCase, startFieldTests } from '../../parts/gateway-fields.ts'
import {
  AGENT_FIELDS,
  CONDENSER_FIELDS,
  CONTEXT_FIELDS,
  SKILL,
  SKILL_FIELDS,
  START_FIELDS,
} from '../cases/gateway-agent-fields.ts'
import { LLM_FIELDS } from '../cases/gateway-llm-fields.ts'

let fields: Awaited<ReturnType<typeof startFieldTests>>

beforeAll(async () => {
  fields = await startFieldTests()
})
afterAll(() => fields?.close())

const carriedOut = (table: Readonly<Record<string, FieldCase>>) =>
  Object.entries(table).flatMap(([name, one]) => ('sees' in one ? [[name, one] as const] : []))
const refused = (table: Readonly<Record<string, FieldCase>>) =>
  Object.entries(table).flatMap(([name, one]) => ('refused' in one ? [[name, one] as const] : []))

describe('the model of a start request', () => {
  it('has no field that nobody looks at', () => {
    expect(Object.keys(LLM_FIELDS).sort()).toEqual(Object.keys(gatewayLlm.shape).sort())
  })

  it.each(carriedOut(LLM_FIELDS))('%s has its effect', async (name, { given, with: more = {}, wire, ...rest }) => {
    const { initial_message, ...beside }: { initial_message?: object } = more
    const llm = { ...fields.llm(wire), ...beside, ...(given !== undefined && { [name]: given }) }
    const message = initial_message && { initial_message }
    const begun = await fields.begin({ agent: { kind: 'Agent', llm }, ...message }, rest)
    await rest.sees(begun)
  })

  it.each(refused(LLM_FIELDS))('%s is refused by its name, unless it says nothing', async (name, one) => {
    const start = (value: unknown) =>
      fields.start({ agent: { kind: 'Agent', llm: { ...fields.llm(), [name]: value } } })
    const reply = await start(one.refused)
    expect([reply.status, reply.body.detail?.[0]?.loc]).toEqual([422, ['body', 'agent', 'llm', name]])
    for (const value of [null, ...(one.inert ?? [])]) expect([value, (await start(value)).status]).toEqual([value, 201])
  })

  it('refuses a field that nobody knows, and an address without a model', async () => {
    const start = (llm: object) => fields.start({ agent: { kind: 'Agent', llm } })
    const unknown = await start({ ...fields.llm(), creativity: 3 })
    expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ['body', 'agent', 'llm', 'creativity']])
    const address = await start({ base_url: fields.llm().base_url })
    expect([address.status, address.body.detail[0].loc]).toEqual([422, ['body', 'agent', 'llm', 'base_url']])
    const api = await start({ ...fields.llm('anthropic'), api_mode: 'responses' })
    expect([api.status, api.body.detail]).toEqual([400, expect.stringContaining('api_mode')])
  })
})

type Place = {
  schema: { shape: object }
  table: Readonly<Record<string, FieldCase>>
  loc: string[]
  put: (value: object) => object
}

const PLACES: Record<string, Place> = {
  'the start request': { schema: startConversationRequest, table: START_FIELDS, loc: [], put: value => value },
  'the agent': { schema: agentSource, table: AGENT_FIELDS, loc: ['agent'], put: agent => ({ agent }) },
  "the agent's context": {
    schema: agentContext,
    table: CONTEXT_FIELDS,
    loc: ['agent', 'agent_context'],
    put: agent_context => ({ agent: { agent_context } }),
  },
  'a skill of a client': {
    schema: clientSkill,
    table: SKILL_FIELDS,
    loc: ['agent', 'agent_context', 'skills', '0'],
    put: skill => ({ agent: { agent_context: { skills: [{ ...SKILL, ...skill }] } } }),
  },
  'the condenser': {
    schema: agentCondenser,
    table: CONDENSER_FIELDS,
    loc: ['agent', 'condenser'],
    put: condenser => ({ agent: { condenser } }),
  },
}

it('gives the agent what the repository and the user have, unless a field says otherwise', async () => {
  const { requests } = await fields.begin({ agent: {} })
  const told = JSON.stringify(requests[0]?.body.messages)
  for (const words of ['Rule of the project', 'Rule of the user', 'Memory of the project', 'Memory of the user']) {
    expect(told).toContain(words)
  }
  expect(told).not.toContain('Cut away')
})

describe.each(Object.entries(PLACES))('%s', (_where, { schema, table, loc, put }) => {
  it('has no field that nobody looks at, and refuses one that it does not have', async () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(schema.shape).sort())
    const reply = await fields.start(put({ nobody_knows: 1 }))
    expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['body', ...loc, 'nobody_knows']])
  })

  it.each(carriedOut(table))('%s has its effect', async (name, { given, with: beside = {}, sees, ...rest }) => {
    await sees(await fields.begin(put({ ...beside, [name]: given }), rest))
  })

  it.each(refused(table))('%s is refused by its name, unless it says nothing', async (name, one) => {
    const start = (value: unknown) => fields.start(put({ [name]: value }))
    const reply = await start(one.refused)
    expect(reply.status).toBe(one.status ?? 422)
    if (reply.status === 422) expect(reply.body.detail[0].loc.slice(0, loc.length + 2)).toEqual(['body', ...loc, name])
    for (const value of [null, ...(one.inert ?? [])]) expect([value, (await start(value)).status]).toEqual([value, 201])
  })
})

it.each([
  ['(a)\\1', 'back-reference'],
  ['(?=a)', 'lookahead'],
  ['(', 'regular expression'],
])('the expression %s for names of tools is refused', async (filter_tools_regex, words) => {
  const { status, body } = await fields.start({ agent: { filter_tools_regex } })
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'agent', 'filter_tools_regex']])
  expect(body.detail[0].msg).toContain(words)
})
