import type { z } from 'zod'
import { maskedValue } from './value.ts'

type MaskText = (text: string) => string

/**
 * The same value with what is hidden in its free text. Names, numbers, ids and what has to be one of certain words or of a
 * certain form stay, however much a secret looks like them: without these nobody could read the value any more.
 * @returns the value itself where nothing is hidden
 */
export function maskedFreeText<Value>(schema: z.ZodType, value: Value, mask: MaskText): Value {
  let isClean = true
  maskedValue(value, text => {
    isClean &&= mask(text) === text
    return text
  })
  return isClean ? value : (masked(schema, value, mask) as Value)
}

function masked(schema: z.ZodType | undefined, value: unknown, mask: MaskText): unknown {
  if (typeof value === 'string') return maskedText(schema, value, mask)
  if (typeof value !== 'object' || value === null) return value
  const known = schema && innermost(schema, value)
  const { shape, element, valueType }: Definition = known ? definitionOf(known) : {}
  if (Array.isArray(value)) return value.map(item => masked(element, item, mask))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      // Data of any form has no field that is known to be no secret.
      const isKept = IDENTIFIER.test(name) && schema !== undefined && (!known || shape?.[name] !== undefined)
      return [name, isKept ? item : masked(shape?.[name] ?? valueType, item, mask)]
    }),
  )
}

/** What names something else, and what tells one event from another where no schema knows it. */
const IDENTIFIER = /^(?:id|kind|source|timestamp)$|_ids?$/

/** What does not fit when it is hidden is no free text; only a text that is too long then is still one. */
function maskedText(schema: z.ZodType | undefined, text: string, mask: MaskText): string {
  const hidden = mask(text)
  if (!schema || hidden === text) return hidden
  const { error } = schema.safeParse(hidden)
  if (!error) return hidden
  return error.issues.every(({ code }) => code === 'too_big') || !schema.safeParse(text).success ? hidden : text
}

interface Definition {
  type?: string
  shape?: Readonly<Record<string, z.ZodType>>
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  options?: readonly z.ZodType[]
  in?: z.ZodType
  out?: z.ZodType
}

/** What zod keeps of a schema is typed for each kind alone. */
function definitionOf(schema: z.ZodType): Definition {
  return schema.def as unknown as Definition
}

/** Without what is around it, and of several the one that the value fits. */
function innermost(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const { innerType, options, in: from, out: to } = definitionOf(schema)
  if (innerType) return innermost(innerType, value)
  if (options) {
    const fitting = options.find(option => option.safeParse(value).success)
    return fitting && innermost(fitting, value)
  }
  if (from && to) return innermost(definitionOf(from).type === 'transform' ? to : from, value)
  return schema
}
