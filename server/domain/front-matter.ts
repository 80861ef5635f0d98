import { parse } from 'yaml'
import { BOUNDS } from './bounds.ts'
import { isRecord } from './is-record.ts'

export interface Document {
  /** null when there is none, or none that can be understood. */
  fields: Record<string, unknown> | null
  body: string
  /** Why the front matter could not be understood. */
  problem: string | null
}

/** Markdown with YAML between two lines of `---` in front. Never throws. */
export function readDocument(text: string): Document {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text)
  if (!match) return { fields: null, body: text.replace(/^\uFEFF/, ''), problem: null }
  const [, yaml = '', body = ''] = match
  if (yaml.length > BOUNDS.frontMatter.limit) {
    return { fields: null, body, problem: `its front matter has more than ${BOUNDS.frontMatter.limit} characters` }
  }
  try {
    const value: unknown = parse(yaml, { maxAliasCount: 10 })
    if (value === null || value === undefined) return { fields: {}, body, problem: null }
    if (isRecord(value)) return { fields: value, body, problem: null }
    return { fields: null, body, problem: 'its front matter is not a list of fields' }
  } catch (error) {
    return { fields: null, body, problem: `its front matter is not YAML (${firstLine(error)})` }
  }
}

function firstLine(error: unknown): string {
  return (
    String(error instanceof Error ? error.message : error)
      .split('\n')[0]
      ?.slice(0, 200) ?? ''
  )
}
