import { firstRun } from './first-run.ts'
import { launcher } from './launcher.ts'
import { sandboxes } from './sandboxes.ts'
import { storageQuestion } from './storage-question.ts'

/** All sentences of the window, by page. */
export const en = {
  firstRun,
  launcher,
  sandboxes,
  storageQuestion,
} as const
