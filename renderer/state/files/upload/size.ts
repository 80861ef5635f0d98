import { MAX_UPLOAD_BYTES } from '../../../../server/api/contract/limits.ts'
import { t } from './text.ts'

/** Why a file cannot be uploaded at all. */
export function sizeRefusal({ size }: Pick<File, 'size'>): string | null {
  return size > MAX_UPLOAD_BYTES ? t('uploadTooLarge') : null
}
