import { mcpServerInput, mcpServerName, type SandboxServer } from '../api/v1/settings/mcp-servers.ts'
import { isRecord } from '../domain/is-record.ts'
import { SKILL_LIMITS } from '../domain/skill.ts'

export interface SkillServers {
  servers: Record<string, SandboxServer>
  /** Why one is not started, for a person. */
  problems: string[]
}

/**
 * The tool servers of a skill: `mcp_tools` of its front matter, or the `.mcp.json` beside its `SKILL.md`. Only commands
 * are started, in the sandbox. `${NAME:-default}` stands for the default, since they are given no secret and no variable,
 * and `${SKILL_ROOT}` for the skill's folder. Pure.
 */
export function skillServers(given: unknown, folder: string | null): SkillServers {
  const found: SkillServers = { servers: {}, problems: [] }
  const entries = entriesOf(given)
  for (const [name, written] of entries.slice(0, SKILL_LIMITS.servers)) {
    const server = sandboxServer(written, folder)
    if (!mcpServerName.safeParse(name).success) {
      found.problems.push('a tool server has no name of up to 40 letters, digits, dashes and underscores')
    } else if (typeof server === 'string') found.problems.push(`the tool server ${name} is not started: ${server}`)
    else found.servers[name.trim()] = server
  }
  if (entries.length > SKILL_LIMITS.servers) {
    found.problems.push(`only its first ${SKILL_LIMITS.servers} tool servers are started`)
  }
  return found
}

/** Text of a `.mcp.json`. Pure. */
export function skillServersOfFile(text: string, folder: string): SkillServers {
  try {
    return skillServers(JSON.parse(text), folder)
  } catch {
    return { servers: {}, problems: ['it is no JSON, so that its tool servers are not started'] }
  }
}

/** Lists as in the settings, or servers by their names, wrapped or not. */
function entriesOf(given: unknown): [name: string, written: unknown][] {
  if (!isRecord(given)) return []
  const lists = [given.stdio_servers, given.sse_servers, given.shttp_servers].flatMap(list =>
    Array.isArray(list) ? list : [],
  )
  if (lists.length > 0) return lists.map(one => [nameOf(one), typeof one === 'string' ? { url: one } : one])
  return Object.entries(isRecord(given.mcpServers) ? given.mcpServers : given).filter(([, one]) => isRecord(one))
}

function nameOf(written: unknown): string {
  const name = isRecord(written) ? (written.name ?? written.url) : written
  return typeof name === 'string' && name !== ''
    ? name
        .replace(/^\w+:\/\//, '')
        .replace(/[^\w-]+/g, '_')
        .slice(0, 40)
    : ''
}

/** @returns the reason, where it cannot be started */
function sandboxServer(written: unknown, folder: string | null): SandboxServer | string {
  const parsed = mcpServerInput.safeParse(written)
  if (!parsed.success) return 'it has no command, or one that cannot be read'
  const server = parsed.data
  if (server.transport !== 'stdio') return `it is an address. ${ADD_IT}`
  const missing = new Set<string>()
  const fill = (text: string) =>
    text.replace(REFERENCE, (reference, name: string, standard: string | undefined) => {
      if (name === 'SKILL_ROOT' && folder !== null) return folder
      if (standard === undefined) missing.add(name)
      return standard ?? reference
    })
  const filled = {
    ...server,
    command: fill(server.command),
    args: server.args.map(fill),
    env: Object.fromEntries(Object.entries(server.env).map(([name, value]) => [name, fill(value)])),
    cwd: server.cwd === null ? null : fill(server.cwd),
  }
  return missing.size === 0 ? filled : `it wants ${[...missing].join(', ')}, and skills get no secrets. ${ADD_IT}`
}

const ADD_IT = 'To use it, add it in Settings › Tool servers'
const REFERENCE = /\$\{([A-Za-z_]\w*)(?::-([^}]{0,200}))?\}/g
