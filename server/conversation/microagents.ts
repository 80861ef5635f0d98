import { posix } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { SandboxHandle } from '../sandbox/handle.ts'

/** Instructions for agents that a repository brings along: always active, or when a word of theirs is said. */
export interface Microagent {
  name: string
  type: 'repo' | 'knowledge'
  content: string
  triggers: string[]
  inputs: { name: string; description: string }[]
  tools: string[]
}

const FOLDER = '.openhands/microagents'
const WHOLE_FILES = ['.openhands_instructions', 'AGENTS.md', 'AGENT.md', '.cursorrules']
const MAX_BYTES = 256 * 1024
const MAX_FILES = 200

const FIND = `find ${FOLDER} -type f -name '*.md' ! -name README.md 2>/dev/null | sort | head -n ${MAX_FILES}`

/** What stands in the repository at `folder`. A file that cannot be understood counts as it is, as plain text. */
export async function readMicroagents(
  sandbox: SandboxHandle,
  folder: string,
  signal: AbortSignal,
): Promise<Microagent[]> {
  const found = await sandbox.exec({ argv: ['/bin/sh', '-c', FIND], cwd: folder, signal })
  const paths = [...WHOLE_FILES, ...found.stdout.split('\n').filter(Boolean)]
  const read = await Promise.all(paths.map(path => textAt(sandbox, posix.join(folder, path))))
  return paths.flatMap((path, index) => {
    const text = read[index]
    return text === undefined ? [] : [toMicroagent(path, text)]
  })
}

async function textAt(sandbox: SandboxHandle, path: string): Promise<string | undefined> {
  const stat = await sandbox.stat(path)
  if (stat?.kind !== 'file' || stat.sizeBytes > MAX_BYTES) return undefined
  return (await sandbox.readFile(path)).toString()
}

const frontMatter = z.object({
  name: z.string().optional().catch(undefined),
  triggers: z.array(z.coerce.string()).nullish().catch([]),
  inputs: z
    .array(z.object({ name: z.string(), description: z.string().default('') }))
    .nullish()
    .catch([]),
  mcp_tools: z
    .object({ stdio_servers: z.array(z.object({ name: z.string() })) })
    .nullish()
    .catch(null),
})

export function toMicroagent(path: string, text: string): Microagent {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text)
  const fields = frontMatter.parse(match ? yamlObject(match[1] ?? '') : {})
  const name = fields.name ?? nameOf(path)
  const inputs = fields.inputs ?? []
  const triggers = fields.triggers ?? []
  if (inputs.length > 0 && !triggers.includes(`/${name}`)) triggers.push(`/${name}`)
  return {
    name,
    type: triggers.length > 0 ? 'knowledge' : 'repo',
    content: match ? (match[2] ?? '') : text,
    triggers,
    inputs,
    tools: fields.mcp_tools?.stdio_servers.map(server => server.name) ?? [],
  }
}

function yamlObject(text: string): object {
  try {
    const value: unknown = parse(text, { maxAliasCount: 10 })
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** Folders below the common one belong to the name. */
function nameOf(path: string): string {
  return path.replace(`${FOLDER}/`, '').replace(/^\./, '').replace(/\.md$/, '')
}
