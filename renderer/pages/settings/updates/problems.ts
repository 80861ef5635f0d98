import type { UpdateProblemCode } from '../../../../electron/ipc.ts'
import { t } from './text.ts'

/** What happened, what it means and what to do. */
export const UPDATE_PROBLEM_WORDS: Record<UpdateProblemCode, string> = {
  unreachable: t('unreachable'),
  bad_signature: t('badSignature'),
  bad_feed: t('badFeed'),
  cut_off: t('cutOff'),
  wrong_file: t('wrongFile'),
  disk_full: t('diskFull'),
  no_backup: t('noBackup'),
  not_permitted: t('notPermitted'),
  not_installed: t('notInstalled'),
}
