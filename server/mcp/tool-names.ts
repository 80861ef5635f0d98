import { createHash } from 'node:crypto'

/** What every provider takes as the name of a function. */
const MAX_LENGTH = 64

/**
 * Names that are or may be ours, or that calls are repaired from: a server that takes one would be called in the place
 * of our own tool.
 */
const OURS: ReadonlySet<string> = new Set(
  `terminal file_editor apply_patch grep glob task_tracker think finish invoke_skill task delegate workflow switch_llm
  inspect_image_with_vision read_file write_file edit list_directory bash command execute execute_bash git reset run
  run_command shell str_replace str_replace_editor str_replace_based_edit_tool cat find ls pwd rg sed tree browser
  edit_file execute_ipython_cell request_condensation push_branch open_pull_request
  answer_review_comment`.split(/\s+/),
)

function isOurs(name: string): boolean {
  return OURS.has(name.toLowerCase()) || /^browser_/i.test(name)
}

/**
 * The names by which the agent calls the tools of its servers: as the server has them, or with the server's name in
 * front where that is taken.
 *
 * INVARIANTS: a name means the same tool as long as this lives, also when servers come and go; no name is ours.
 */
export class ToolNames {
  readonly #names = new Map<string, string>()
  readonly #taken: Set<string>

  /** @param taken names that belong to others */
  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken.map(name => name.toLowerCase()))
  }

  nameOf(server: string, tool: string): string {
    const key = JSON.stringify([server, tool])
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = this.#free(fitting(tool), fitting(`${server}_${tool}`), key)
    this.#names.set(key, name)
    this.#taken.add(name.toLowerCase())
    return name
  }

  #free(plain: string, prefixed: string, key: string): string {
    const found = [plain, prefixed].find(name => name !== '' && !isOurs(name) && !this.#taken.has(name.toLowerCase()))
    return found ?? `${prefixed.slice(0, MAX_LENGTH - 9)}_${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
  }
}

/** Begins with a letter or an underscore, as some providers want it. A name that had to be cut keeps a mark of what it was. */
function fitting(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?=[0-9-])/, '_')
  if (clean.length <= MAX_LENGTH) return clean
  return `${clean.slice(0, MAX_LENGTH - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}
