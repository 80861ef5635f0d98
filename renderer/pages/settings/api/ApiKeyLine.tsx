import { useState } from 'react'
import type { LocalApiKeyInfo } from '../../../../server/api/v1/system/local-api-key.ts'
import { useLocalApiKey, useRotateLocalApiKey } from '../../../api/local-api-key.ts'
import { Button } from '../../../ui/Button.tsx'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import { SETTING_ENTRIES } from '../form/entries.ts'
import { Line } from '../form/Line.tsx'
import { t } from './text.ts'

const PLACES = {
  environment: t('itComesFromSessionApi'),
  keychain: t('itIsInKeychain'),
  memory: t('itIsKeptInMemory'),
} as const satisfies Record<LocalApiKeyInfo['kept_in'], string>

/** Holds the place of a line that is still read. */
const NOT_YET = '\u00a0'

/** The key that other tools show; it can be put out of use for a new one. */
export function ApiKeyLine() {
  const { info, key } = useLocalApiKey()
  const [asking, setAsking] = useState(false)
  const rotate = useRotateLocalApiKey()
  const inBrowser = !window.atelier
  function confirm() {
    rotate.mutate(undefined, {
      onSuccess: () => notifyDone(t('keyIsChanged')),
      onError: notifyError,
      onSettled: () => setAsking(false),
    })
  }
  return (
    <>
      <Line
        name={inBrowser ? t('keyOfThisLogin') : SETTING_ENTRIES.api_key.label}
        value={key}
        shown="••••••••••••••••"
        note={inBrowser ? t('itEndsWithService') : info ? PLACES[info.kept_in] : NOT_YET}
        aside={
          <Button
            size="small"
            disabledReason={info?.can_rotate === false ? PLACES[info.kept_in] : null}
            onClick={() => setAsking(true)}
          >
            {inBrowser ? t('changeServicesKey') : t('changeKey')}
          </Button>
        }
      />
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('changeKeyOfApi')}
        confirm={t('confirmChangeKey')}
        busy={rotate.isPending}
        onConfirm={confirm}
      >
        {t('oldKeyIsRefused')}
      </AlertDialog>
    </>
  )
}
