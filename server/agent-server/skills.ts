import { AppError, isAppError } from '../domain/errors.ts'
import { HOOKS_FILE, readHooks } from '../domain/hooks-config.ts'
import { type SubAgent, withBuiltIn } from '../domain/sub-agent.ts'
import { loadSkills } from '../knowledge/load-skills.ts'
import { toSkillInfo } from '../knowledge/to-api.ts'
import type { Mask } from '../secret/mask/mask.ts'
import { maskedValue } from '../secret/mask/value.ts'
import type { Access } from './access.ts'
import { withSnakeKeys } from './hook-config.ts'
import type { GatewaySandboxes } from './sandboxes.ts'

interface SkillsRequest {
  load_user: boolean
  load_project: boolean
  project_dir?: string | null | undefined
}

/** Skills, sub-agents and hooks of any folder of the sandbox, as it is now. */
export class GatewaySkills {
  readonly #sandboxes: GatewaySandboxes
  readonly #userHome: string
  readonly #mask: Pick<Mask, 'mask'>

  constructor(sandboxes: GatewaySandboxes, userHome: string, mask: Pick<Mask, 'mask'>) {
    this.#sandboxes = sandboxes
    this.#userHome = userHome
    this.#mask = mask
  }

  /** @throws AppError bad_request for a relative path, file_not_found when there is no such folder */
  async list(access: Access, asked: SkillsRequest, signal: AbortSignal) {
    const { skills } = await this.#load(access, asked, signal)
    const count = (source: string) => skills.filter(skill => skill.source === source).length
    return {
      skills: skills.map(skill => {
        const { path: _path, ...info } = maskedValue(toSkillInfo(skill), this.#mask.mask)
        return { ...info, is_agentskills_format: skill.folder !== null, disable_model_invocation: skill.userOnly }
      }),
      sources: { project: count('repository'), user: count('user'), public: 0, org: 0 },
    }
  }

  /** The first of each name. @throws AppError bad_request for a relative path, file_not_found when there is no such folder */
  async subAgents(access: Access, asked: SkillsRequest & { load_builtin: boolean }, signal: AbortSignal) {
    const { subAgents } = await this.#load(access, asked, signal)
    return {
      agents: maskedValue(
        (asked.load_builtin ? withBuiltIn(subAgents) : subAgents).map(toSubAgentInfo),
        this.#mask.mask,
      ),
    }
  }

  /** @throws AppError bad_request for a relative path */
  async hooks(access: Access, folder: string | null | undefined, signal: AbortSignal) {
    checkFolder(folder)
    const sandbox = await this.#sandboxes.open(access, signal)
    const text = await sandbox
      .readFile(`${folder ?? sandbox.workingDir}/${HOOKS_FILE}`, { maxBytes: MAX_BYTES })
      .catch(nullWhenMissing)
    const { config } = readHooks(text?.toString() ?? null)
    return { hook_config: config && maskedValue(withSnakeKeys(config), this.#mask.mask) }
  }

  async #load(access: Access, asked: SkillsRequest, signal: AbortSignal) {
    checkFolder(asked.project_dir)
    const sandbox = asked.load_project ? await this.#sandboxes.open(access, signal) : null
    const workingDir = asked.project_dir ?? sandbox?.workingDir ?? '/'
    const userHome = asked.load_user ? this.#userHome : null
    return loadSkills({ sandbox, workingDir, userHome, model: null }, signal)
  }
}

const LEVELS = { 'built-in': 'builtin', repository: 'project', user: 'user', client: 'user' } as const

function toSubAgentInfo({ name, description, prompt, source, path, tools, model, maxSteps, maxBudget }: SubAgent) {
  return {
    name,
    description,
    model: model ?? 'inherit',
    tools: tools ?? [],
    system_prompt: prompt,
    source: path,
    level: LEVELS[source],
    is_builtin: source === 'built-in',
    max_iteration_per_run: maxSteps,
    max_budget_per_run: maxBudget,
  }
}

const MAX_BYTES = 256 * 1024

function checkFolder(path: string | null | undefined): void {
  if (path && (!path.startsWith('/') || path.includes('\0'))) {
    throw new AppError('bad_request', 'project_dir is not an absolute path of the sandbox. Begin it with a slash.')
  }
}

function nullWhenMissing(error: unknown): null {
  if (isAppError(error, 'file_not_found') || isAppError(error, 'bad_request')) return null
  throw error
}
