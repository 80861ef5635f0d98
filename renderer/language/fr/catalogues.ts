import { conversationAttempts } from './conversation/attempts.ts'
import { conversationComparison } from './conversation/comparison.ts'
import { conversationFiles } from './conversation/files.ts'
import { conversationPage } from './conversation/page.ts'
import { conversationPanel } from './conversation/panel.ts'
import { conversationPreview } from './conversation/preview.ts'
import { conversationPullRequest } from './conversation/pull-request.ts'
import { conversationQueue } from './conversation/queue.ts'
import { conversationReview } from './conversation/review.ts'
import { conversationServices } from './conversation/services.ts'
import { conversationTerminal } from './conversation/terminal.ts'
import { conversationTimeline } from './conversation/timeline.ts'
import { conversationTrust } from './conversation/trust.ts'
import { firstRun } from './first-run.ts'
import { frame } from './frame.ts'
import { launcher } from './launcher.ts'
import { network } from './network.ts'
import { notices } from './notices.ts'
import { sandboxes } from './sandboxes.ts'
import { search } from './search.ts'
import { settingsAbout } from './settings/about.ts'
import { settingsAgent } from './settings/agent.ts'
import { settingsApi } from './settings/api.ts'
import { settingsDesktop } from './settings/desktop.ts'
import { settingsDiagnosis } from './settings/diagnosis.ts'
import { settingsEngines } from './settings/engines.ts'
import { settingsForm } from './settings/form.ts'
import { settingsGeneral } from './settings/general.ts'
import { settingsGit } from './settings/git.ts'
import { settingsModel } from './settings/model.ts'
import { settingsPage } from './settings/page.ts'
import { settingsProblems } from './settings/problems.ts'
import { settingsSandbox } from './settings/sandbox.ts'
import { settingsSecrets } from './settings/secrets.ts'
import { settingsSpecFiles } from './settings/spec-files.ts'
import { settingsSpecs } from './settings/specs.ts'
import { settingsStorage } from './settings/storage.ts'
import { settingsTools } from './settings/tools.ts'
import { settingsTransfer } from './settings/transfer.ts'
import { settingsTrust } from './settings/trust.ts'
import { settingsUpdates } from './settings/updates.ts'
import { steps } from './steps.ts'
import { storageQuestion } from './storage-question.ts'
import { ui } from './ui.ts'
import { words } from './words.ts'

export const fr = {
  conversationAttempts,
  conversationComparison,
  conversationFiles,
  conversationPage,
  conversationPanel,
  conversationPreview,
  conversationPullRequest,
  conversationQueue,
  conversationReview,
  conversationServices,
  conversationTerminal,
  conversationTimeline,
  conversationTrust,
  firstRun,
  frame,
  launcher,
  network,
  notices,
  sandboxes,
  search,
  settingsAbout,
  settingsAgent,
  settingsApi,
  settingsDesktop,
  settingsDiagnosis,
  settingsEngines,
  settingsForm,
  settingsGeneral,
  settingsGit,
  settingsModel,
  settingsPage,
  settingsProblems,
  settingsSandbox,
  settingsSecrets,
  settingsSpecFiles,
  settingsSpecs,
  settingsStorage,
  settingsTools,
  settingsTransfer,
  settingsTrust,
  settingsUpdates,
  steps,
  storageQuestion,
  ui,
  words,
}
