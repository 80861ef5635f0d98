import type { ChangeFrame } from '../../server/api/v1/system/system.ts'

/** Every key of the query cache, and only here. A prefix invalidates all that stand under it. */
export const keys = {
  background: ['background'],
  system: ['system'],
  devContainers: (source: string) => ['dev-containers', source],
  recheck: ['recheck'],
  diagnoses: ['diagnosis'],
  diagnosis: (check: string, engineId: string) => ['diagnosis', check, engineId],
  log: ['log'],
  thirdPartyNotices: ['third-party-notices'],
  localApiKey: ['local-api-key'],
  desktopUpdates: ['desktop-updates'],
  logins: ['logins'],
  settings: ['settings'],
  secrets: ['secrets'],
  profiles: ['profiles'],
  models: ['models'],
  localModels: ['models', 'local'],
  conversations: ['conversations'],
  retention: (rules: object) => ['conversations', 'retention', rules],
  conversationLists: ['conversations', 'list'],
  conversationList: (title: string, only: string | null) => ['conversations', 'list', title, only],
  conversation: (id: string) => ['conversations', 'one', id],
  toolServers: (id: string) => ['conversations', 'tool-servers', id],
  /** Read from the sandbox, so not again at every change of a conversation. */
  instructions: (id: string, what: 'skills' | 'hooks') => ['instructions', id, what],
  repositoryTrust: (id: string) => ['repository-trust', id],
  trustedRepositories: ['trusted-repositories'],
  attempts: (id: string) => ['attempts', id],
  pendingMessages: (id: string) => ['pending-messages', id],
  browser: (id: string) => ['browser', id],
  git: (id: string) => ['git', id],
  checkpoints: (id: string, event: string | null) => ['git', id, 'checkpoints', event],
  comparison: ([here, there]: readonly [string, string], working: boolean) => [
    'git',
    here,
    'comparison',
    there,
    working,
  ],
  comparedFile: ([here, there]: readonly [string, string], asked: { path: string; sides: string }) => [
    'git',
    here,
    'compared-file',
    there,
    asked,
  ],
  reviewFiles: (id: string, base: string, named: string | null, working: boolean) => [
    'git',
    id,
    'review',
    base,
    named,
    working,
  ],
  reviewFile: (id: string, base: string, named: string | null, file: { path: string }) => [
    'git',
    id,
    'file',
    base,
    named,
    file,
  ],
  reviewComments: (id: string) => ['review-comments', id],
  gitChanges: (id: string, working: boolean) => ['git', id, 'changes', working],
  gitDiff: (id: string, path: string, working: boolean) => ['git', id, 'diff', path, working],
  gitState: (id: string, working: boolean) => ['git', id, 'state', working],
  pullRequest: (id: string, branch: string | null) => ['git', id, 'pull-request', branch],
  pullRequestStatus: (id: string, working: boolean) => ['git', id, 'pull-request-status', working],
  previewPartition: (sandboxId: string) => ['preview-partition', sandboxId],
  ports: (sandboxId: string) => ['ports', sandboxId],
  fileTree: (id: string) => ['file-tree', id],
  fileText: (id: string, path: string) => ['files', id, 'text', path],
  fileBytes: (id: string, path: string) => ['files', id, 'bytes', path],
  fileHead: (id: string, path: string) => ['files', id, 'head', path],
  trash: (id: string) => ['trash', id],
  foundFiles: (id: string, text: string) => ['files', id, 'found', text],
  folderEntries: (id: string, path: string) => ['files', id, 'entries', path],
  goTo: (id: string) => ['go-to', id],
  uploads: (id: string) => ['uploads', id],
  composerAttachments: (id: string) => ['composer-attachments', id],
  folder: (path: string) => ['folder', path],
  folderApply: (conversation: string) => ['folder-apply', conversation],
  gitData: ['git-data'],
  gitRepositories: (text: string) => ['git-data', 'repositories', text],
  gitBranches: (provider: string, repository: string, text: string) => [
    'git-data',
    'branches',
    provider,
    repository,
    text,
  ],
  gitSignIn: (id: string) => ['git-sign-in', id],
  suggestedTasks: ['git-data', 'suggested-tasks'],
  search: (asked: object) => ['search', asked],
  usage: ['usage'],
  storage: ['storage'],
  dataExport: (id: string) => ['data-export', id],
  dataImport: (id: string) => ['data-import', id],
  userInstructions: ['user-instructions'],
  engineStorages: ['engine-storage'],
  engineStorage: (engine: string) => ['engine-storage', engine],
  sandboxSizes: (engine: string, ids: readonly string[]) => ['engine-storage', engine, 'sizes', ...ids],
  removable: (engine: string) => ['engine-storage', engine, 'removable'],
  conversationLog: (id: string) => ['conversation-log', id],
  startTasks: ['start-tasks'],
  openStartTasks: ['start-tasks', 'open'],
  startTask: (id: string) => ['start-tasks', 'one', id],
  sandboxes: ['sandboxes'],
  sandboxList: ['sandboxes', 'list'],
  sandbox: (id: string) => ['sandboxes', 'one', id],
  sandboxNetwork: (id: string) => ['sandbox-network', id],
  sandboxStats: (ids: string[]) => ['sandbox-stats', ...ids],
  sandboxServices: (id: string) => ['sandbox-services', id],
  printedLog: (sandbox: string, service: string | null) => ['printed-log', sandbox, service ?? ''],
  terminals: (sandboxId: string) => ['terminals', sandboxId],
  specs: ['sandbox-specs'],
  engines: ['engines'],
  availableEngines: ['engines', 'available'],
  specBuild: (id: string) => ['sandbox-specs', 'build', id],
  specExport: (id: string) => ['sandbox-specs', 'export', id],
} as const

/** What a change makes stale. */
export function staleKeys(frame: ChangeFrame): readonly (readonly string[])[] {
  switch (frame.resource) {
    case 'conversation':
      return [
        keys.conversation(frame.id),
        keys.repositoryTrust(frame.id),
        keys.attempts(frame.id),
        ['conversations', 'list'],
      ]
    case 'pending-messages':
      return [keys.pendingMessages(frame.id)]
    case 'start-task':
      // What it starts may belong to a conversation, which then has one more under it.
      return [keys.startTask(frame.id), keys.openStartTasks, ['conversations', 'one'], ['attempts']]
    case 'sandbox':
      return [keys.sandboxes, keys.system, keys.engines]
    case 'terminals':
      return [keys.terminals(frame.id)]
    case 'sandbox-network':
      return [keys.sandboxNetwork(frame.id)]
    case 'sandbox-services':
      return [keys.sandboxServices(frame.id)]
    case 'sandbox-spec':
      return [keys.specs]
    case 'engine':
      return [keys.engines, keys.specs]
    case 'settings':
      return [
        keys.settings,
        keys.secrets,
        keys.profiles,
        keys.specs,
        keys.trustedRepositories,
        keys.gitData,
        ['repository-trust'],
      ]
    case 'system':
      return [keys.system, keys.specs, keys.logins, keys.storage]
  }
}
