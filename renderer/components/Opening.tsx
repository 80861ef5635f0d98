import { useState } from 'react'
import { loginCodeIn } from '../api/connection.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Field } from '../ui/field/Field.tsx'
import { Input } from '../ui/field/Input.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Mark } from './Mark.tsx'
import { t } from './text.ts'

/** What stands in the window until the service has answered. The mark stands in index.html too, before any script. */
export function Opening() {
  return (
    <main className="relative flex h-full flex-col items-center justify-center">
      <Mark size={48} />
      <p role="status" className="absolute top-1/2 mt-10 flex animate-appear items-center gap-2 text-faint">
        <Spinner />
        {t('startingService')}
      </p>
    </main>
  )
}

export function CannotOpen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="mx-auto flex h-full max-w-120 flex-col justify-center gap-4 p-6">
      <Mark size={32} />
      <h1 className="text-xl font-semibold">{t('serviceNotReached')}</h1>
      <ErrorNotice error={error} onRetry={onRetry} />
      <p className="text-soft">{t('yourConversationsAreOnDisk')}</p>
    </main>
  )
}

/** In a browser, without a key: only the one-time link that the service prints lets a tab in. */
export function LoginPage({ onLogin }: { onLogin: () => void }) {
  const [link, setLink] = useState('')
  const code = loginCodeIn(link) ?? (/^[\w-]{8,}$/.test(link.trim()) ? link.trim() : undefined)
  function submit() {
    if (!code) return
    window.location.hash = `login=${encodeURIComponent(code)}`
    onLogin()
  }
  return (
    <main className="mx-auto flex h-full max-w-120 flex-col justify-center gap-4 p-6">
      <Mark size={32} />
      <h1 className="text-xl font-semibold">{t('openLoginLink')}</h1>
      <p className="text-soft">{t('howToLogIn')}</p>
      <form
        className="flex items-end gap-2"
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label={t('loginLinkOrCode')} className="flex-1">
          <Input value={link} onValueChange={setLink} mono autoFocus />
        </Field>
        <Button type="submit" look="primary" size="large" disabledReason={code ? null : t('pasteLoginLinkFirst')}>
          {t('logIn')}
        </Button>
      </form>
    </main>
  )
}
