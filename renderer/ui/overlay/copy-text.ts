import { t } from '../text.ts'
import { notifyDone, notifyError } from './toast.ts'

/** Copies a text from a menu, which is gone by then: a notice says so. Never rejects. */
export async function copyText(text: string, message: string = t('copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notifyDone(message)
  } catch (error) {
    notifyError(error)
  }
}
