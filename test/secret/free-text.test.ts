import { expect, it } from 'vitest'
import { z } from 'zod'
import { maskedFreeText } from '../../server/secret/mask/free-text.ts'
import { createMask } from '../../server/secret/mask/mask.ts'

const { mask } = createMask(['default', '123456', 'AKIA-canary', '2026-01-01'])
const HIDDEN = '<secret-hidden>'

const event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('other') }),
  z.object({
    kind: z.literal('default'),
    id: z.string(),
    at: z.iso.datetime(),
    mode: z.enum(['default', 'none']).nullable(),
    count: z.number(),
    call_ids: z.array(z.string()),
    text: z.string().max(10).optional(),
    parts: z.array(z.union([z.object({ type: z.literal('default'), text: z.string() }), z.null()])),
    data: z.record(z.string(), z.unknown()),
  }),
])
const fields = {
  kind: 'default',
  id: 'a-default-id',
  at: '2026-01-01T00:00:00Z',
  mode: 'default',
  count: 123456,
  call_ids: ['123456'],
}

it('hides free text, and data of any form, and leaves what the schema takes as it is alone', () => {
  const value = {
    ...fields,
    text: '123456',
    parts: [{ type: 'default', text: 'by default' }, null],
    data: { default: 'default', aws_access_key_id: 'AKIA-canary', deep: [{ id: 'AKIA-canary' }] },
  }
  expect(maskedFreeText(event, value, mask)).toEqual({
    ...fields,
    text: HIDDEN,
    parts: [{ type: 'default', text: `by ${HIDDEN}` }, null],
    data: { default: HIDDEN, aws_access_key_id: HIDDEN, deep: [{ id: HIDDEN }] },
  })
})

it('is the same value where nothing is hidden', () => {
  const value = { kind: 'other', text: 'plain' }
  expect(maskedFreeText(event, value, mask)).toBe(value)
})

it('keeps what names a value that fits no schema, and hides the rest of it', () => {
  expect(maskedFreeText(event, { kind: 'default', id: '123456', note: '123456' }, mask)).toEqual({
    kind: 'default',
    id: '123456',
    note: HIDDEN,
  })
})
