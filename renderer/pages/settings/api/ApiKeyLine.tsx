import { useState } from 'react'
import type { LocalApiKeyInfo } from '../../../../server/api/v1/system/local-api-key.ts'
import { useLocalApiKey, useRotateLocalApiKey } from '../../../api/local-api-key.ts'
import { Button } from '../../../ui/Button.tsx'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import { SETTING_ENTRIES } from '../form/entries.ts'
import { Line } from '../form/Line.tsx'

const PLACES = {
  environment: 'It comes from SESSION_API_KEY, so it is changed there.',
  keychain: 'It is in the keychain. Copy it only to tools that you trust.',
  memory: 'It is kept in memory, because there is no keychain, and ends with Atelier.',
} as const satisfies Record<LocalApiKeyInfo['kept_in'], string>

/** The key that other tools show; it can be put out of use for a new one. */
export function ApiKeyLine() {
  const { info, key } = useLocalApiKey()
  const [asking, setAsking] = useState(false)
  const rotate = useRotateLocalApiKey()
  const inBrowser = !window.atelier
  function confirm() {
    rotate.mutate(undefined, {
      onSuccess: () => notifyDone('The key is changed. Copy the new one to your tools.'),
      onError: notifyError,
      onSettled: () => setAsking(false),
    })
  }
  return (
    <>
      <Line
        name={inBrowser ? 'Key of this login' : SETTING_ENTRIES.api_key.label}
        value={key}
        shown="••••••••••••••••"
        note={inBrowser ? 'It ends with the service. The app shows the key that lasts.' : info && PLACES[info.kept_in]}
        aside={
          <Button
            size="small"
            disabledReason={info?.can_rotate === false ? PLACES[info.kept_in] : null}
            onClick={() => setAsking(true)}
          >
            {inBrowser ? 'Change the service’s key …' : 'Change the key …'}
          </Button>
        }
      />
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="Change the key of the API?"
        confirm="Change the key"
        busy={rotate.isPending}
        onConfirm={confirm}
      >
        The old key is refused at once, and the keys of all sandboxes change with it: other tools need the new one, and
        other browsers a new login. This window and the agents go on.
      </AlertDialog>
    </>
  )
}
