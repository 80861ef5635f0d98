import { z } from 'zod'
import { SANDBOX_NETWORKS } from '../../../server/api/network-policy.ts'
import type { Attachment } from '../../../server/api/v1/conversation/attachments.ts'
import { MAX_ATTEMPTS } from '../../../server/api/v1/conversation/attempts.ts'
import { GIT_PROVIDERS } from '../../../server/api/v1/conversation/conversations.ts'
import { folderMode } from '../../../server/api/v1/conversation/folder/folders.ts'
import {
  type AppConversationStartRequest,
  appConversationStartRequest,
} from '../../../server/api/v1/conversation/starts.ts'
import type { PromptedTask } from '../../../server/api/v1/git/data.ts'
import { allowlist } from '../../../server/api/v1/sandbox/network.ts'
import type { DevContainerSource } from '../../api/sandbox/dev-containers.ts'
import type { StartRequest } from '../../api/start.ts'
import { attemptChoiceOf, attemptModel, attemptModelsOf } from '../conversation/attempt-choice.ts'
import { CONFIRMATION_CHOICES, choiceOf, confirmationFields } from '../conversation/confirmation-choice.ts'
import { EMPTY_POLICY } from '../network/policy.ts'
import { t } from './text.ts'

/** One task: every field as it is typed, spaces at its end included. */
const task = z.object({
  text: z.string(),
  repository: z.string(),
  /** Where `owner/name` lies; '' for an address, and for GitHub. */
  provider: z.enum(['', ...GIT_PROVIDERS]),
  branch: z.string(),
  /** Of this computer, instead of a repository. */
  folder: z.string(),
  /** Whether what is not committed is copied with it. */
  folderChanges: z.boolean(),
  folderMode,
  /** '' is the default spec. */
  spec: z.string(),
  /** Path of its configuration in the repository or folder; '' is none. */
  devContainer: z.string(),
  /** '' is as the spec says. */
  network: z.enum(['', ...SANDBOX_NETWORKS]),
  allowlist,
  /** '' is the model of the settings. */
  model: z.string(),
  /** Name of a saved model, in place of `model`; '' is none. */
  profile: z.string(),
  /** Several attempts at the task; none is once, in the conversation itself. */
  attempts: z.array(attemptModel).max(MAX_ATTEMPTS),
  /** Command that says whether an attempt is good; '' is none. */
  check: z.string(),
  steps: z.string(),
  budget: z.string(),
  /** The agent writes a plan first, and builds nothing. */
  plan: z.boolean(),
  /** '' is as in the settings. */
  confirmation: z.enum(['', ...CONFIRMATION_CHOICES]),
})

const replaced = z.discriminatedUnion('by', [
  z.object({ by: z.literal('link'), text: z.string(), before: z.string() }),
  z.object({ by: z.literal('task'), text: z.string(), before: task }),
])

/** What the launcher holds. */
const launchDraft = task.extend({
  /** What was filled in, the newest last, each with what it took the place of; until it is started or taken out. */
  replaced: z.array(replaced).catch([]),
})
export type LaunchDraft = z.output<typeof launchDraft>

const trimmed = z.string().trim()
export const trimmedDraft = launchDraft.extend({
  text: trimmed,
  repository: trimmed,
  branch: trimmed,
  folder: trimmed,
  spec: trimmed,
  model: trimmed,
  steps: trimmed,
  budget: trimmed,
})

export const EMPTY_DRAFT: LaunchDraft = {
  text: '',
  replaced: [],
  repository: '',
  provider: '',
  branch: '',
  folder: '',
  folderChanges: true,
  folderMode: 'copy',
  spec: '',
  devContainer: '',
  network: '',
  allowlist: EMPTY_POLICY.allowlist,
  model: '',
  profile: '',
  attempts: [],
  check: '',
  steps: '',
  budget: '',
  plan: false,
  confirmation: '',
}

/** As it is done once, in the conversation itself. */
export function withoutAttempts(draft: LaunchDraft): LaunchDraft {
  return { ...draft, attempts: EMPTY_DRAFT.attempts, check: EMPTY_DRAFT.check }
}

/** Whether anything of it is done with the model of the settings. */
export function leavesModelOut({ model, profile, attempts }: LaunchDraft): boolean {
  if (model.trim() || profile) return false
  return attempts.length === 0 || attempts.some(each => !each.model.trim() && !each.profile)
}

/** A conversation works on a folder or on a repository. */
export function onFolder(draft: LaunchDraft, folder: string): LaunchDraft {
  return { ...draft, folder, folderMode: 'copy', repository: '', provider: '', branch: '', devContainer: '' }
}

/** Another repository, branch or folder has other dev containers. */
export function withoutDevContainer(fields: Partial<LaunchDraft>): Partial<LaunchDraft> {
  const isOther = ['repository', 'provider', 'branch', 'folder'].some(name => name in fields)
  return isOther ? { ...fields, devContainer: '' } : fields
}

/** What is looked at for dev containers. */
export function devContainerSource(draft: LaunchDraft): DevContainerSource {
  const { selected_repository, selected_branch, git_provider, source } = requestOf(draft)
  return { selected_repository, selected_branch, git_provider, source }
}

/** A stored draft, or an empty one where none can be read. */
export function parseDraft(text: string): LaunchDraft {
  try {
    return launchDraft.catch(EMPTY_DRAFT).parse({ ...EMPTY_DRAFT, ...JSON.parse(text) })
  } catch {
    return EMPTY_DRAFT
  }
}

export interface LaunchFiles {
  /** As data URLs. */
  images: readonly string[]
  files: readonly Attachment[]
}

/** Empty fields are left out: the settings decide then. */
export function requestOf(
  draft: LaunchDraft,
  { images, files }: LaunchFiles = { images: [], files: [] },
): StartRequest {
  const { text, repository, provider, branch, folder, network, model, steps, budget, plan, confirmation } =
    trimmedDraft.parse(draft)
  const pictures = images.length > 0 ? [{ type: 'image' as const, image_urls: [...images] }] : []
  return {
    initial_message: { role: 'user', content: [{ type: 'text', text }, ...pictures], run: true },
    ...(files.length > 0 ? { attachments: [...files] } : {}),
    ...(repository ? { selected_repository: repository } : {}),
    ...(repository && provider ? { git_provider: provider } : {}),
    ...(repository && branch ? { selected_branch: branch } : {}),
    ...(folder && !repository ? { source: folderOf(draft, folder) } : {}),
    ...madeAs(draft),
    ...(network ? { network_policy: { network, allowlist: draft.allowlist } } : {}),
    ...(draft.profile ? { profile: draft.profile } : model ? { llm_model: model } : {}),
    ...(draft.attempts.length > 0 ? { attempts: attemptChoiceOf(draft.attempts, draft.check) } : {}),
    ...(steps ? { max_iterations: Number(steps) } : {}),
    ...(budget ? { max_budget_per_task: Number(budget) } : {}),
    ...(plan ? { agent_type: 'plan' as const } : {}),
    ...(confirmation ? confirmationFields(confirmation, null) : {}),
  }
}

function madeAs(draft: LaunchDraft) {
  const { spec, devContainer, repository, folder } = trimmedDraft.parse(draft)
  if (devContainer && (repository || folder)) return { dev_container: { path: devContainer } }
  return spec ? { sandbox_spec_id: spec } : {}
}

/** In place it is as it is; that it may be worked on was asked where the mode was chosen. */
function folderOf({ folderMode: mode, folderChanges: include_changes }: LaunchDraft, path: string) {
  const source = { kind: 'folder' as const, path, mode }
  return mode === 'in_place' ? { ...source, confirm_in_place: true } : { ...source, include_changes }
}

/** Starts a suggested task in its repository, with what the draft says of the sandbox, the model and the limits. */
export function requestOfTask(draft: LaunchDraft, { prompt, repo, git_provider }: PromptedTask): StartRequest {
  const provider = git_provider ?? 'github'
  const task = {
    ...withoutAttempts(draft),
    text: prompt,
    repository: repo,
    provider,
    branch: '',
    folder: '',
    devContainer: '',
  }
  return { ...requestOf(task), trigger: 'suggested_task' }
}

/** The draft that a request came from: what a failed start puts back into the launcher. */
export function draftOf(request: AppConversationStartRequest): LaunchDraft {
  const texts = request.initial_message?.content.flatMap(part => (part.type === 'text' ? [part.text] : []))
  return {
    text: texts?.join('\n\n') ?? '',
    replaced: [],
    repository: request.selected_repository ?? '',
    provider: request.git_provider ?? '',
    branch: request.selected_branch ?? '',
    folder: request.source?.path ?? '',
    folderChanges: request.source?.include_changes ?? true,
    folderMode: request.source?.mode ?? 'copy',
    spec: request.sandbox_spec_id ?? '',
    devContainer: request.dev_container?.path ?? '',
    network: request.network_policy?.network ?? '',
    allowlist: request.network_policy?.allowlist ?? EMPTY_POLICY.allowlist,
    model: request.profile ? '' : (request.llm_model ?? ''),
    profile: request.profile ?? '',
    attempts: request.attempts ? attemptModelsOf(request.attempts) : [],
    check: request.attempts?.check ?? '',
    steps: request.max_iterations ? String(request.max_iterations) : '',
    budget: request.max_budget_per_task ? String(request.max_budget_per_task) : '',
    plan: request.agent_type === 'plan',
    confirmation: request.confirmation_policy ? choiceOf(request.confirmation_policy) : '',
  }
}

/** The pictures that a request brought. */
export function imagesOf(request: AppConversationStartRequest): string[] {
  return request.initial_message?.content.flatMap(part => (part.type === 'image' ? part.image_urls : [])) ?? []
}

export type LaunchProblems = Partial<Record<keyof LaunchDraft, string>>

const WORDS = {
  text: t('describeTaskFirst'),
  repository: t('giveGitAddress'),
  folder: t('giveAbsolutePath'),
  steps: t('giveWholeNumberOfSteps'),
  budget: t('givePositiveAmount'),
} as const

/** What keeps the draft from being started, by field. */
export function problemsOf(draft: LaunchDraft): LaunchProblems {
  const problems: LaunchProblems = {}
  if (!draft.text.trim()) problems.text = WORDS.text
  if (draft.repository.trim() && !isRepository(draft.repository.trim())) problems.repository = WORDS.repository
  if (draft.folder.trim() && !isAbsolutePath(draft.folder.trim())) problems.folder = WORDS.folder
  const { error } = appConversationStartRequest.safeParse(requestOf(draft))
  const refused = new Set(error?.issues.map(({ path }) => path[0]))
  if (refused.has('max_iterations')) problems.steps = WORDS.steps
  if (refused.has('max_budget_per_task')) problems.budget = WORDS.budget
  return problems
}

/** On this computer or, from a browser, on the one of the service. */
export function isAbsolutePath(path: string): boolean {
  return /^(\/|[a-z]:[\\/]|\\\\)/i.test(path)
}

/** `owner/name`, `https://…`, `ssh://…`, `git@host:path`. */
function isRepository(text: string): boolean {
  return (
    /^[\w.~-]+\/[\w./-]+$/.test(text) || /^(https?|ssh|git):\/\/\S+$/.test(text) || /^[\w.-]+@[\w.-]+:\S+$/.test(text)
  )
}
