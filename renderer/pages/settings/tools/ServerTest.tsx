import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { startMcpSignIn } from '../../../../server/api/v1/settings/mcp-sign-in.ts'
import { testMcpServer } from '../../../../server/api/v1/settings/mcp-states.ts'
import { useClient } from '../../../api/session.ts'
import { type McpTestInput, type ServerDraft, testInputOf } from '../../../state/settings/tool-servers.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { notifyError } from '../../../ui/overlay/toast.ts'
import { openLink } from '../../conversation/link/open-link.ts'
import { t } from './text.ts'

export interface ServerTestProps {
  draft: ServerDraft
  /** Whether every value fits; what does not is shown once it was tried. */
  fits: boolean
  onTry: () => void
}

/** Connects with what stands in the fields, saved or not, and lists the tools. */
export function ServerTest({ draft, fits, onTry }: ServerTestProps) {
  const client = useClient()
  const test = useMutation({ mutationFn: (body: McpTestInput) => client.call(testMcpServer, { body }) })
  function submit() {
    onTry()
    if (fits) test.mutate(testInputOf(draft))
  }
  const result = test.data
  return (
    <div className="flex flex-col items-start gap-2">
      <Button busy={test.isPending} onClick={submit}>
        {t('test')}
      </Button>
      {test.isPending && draft.kind === 'stdio' && <p className="text-faint text-sm">{t('sandboxIsStarted')}</p>}
      {test.error && <ErrorNotice error={test.error} />}
      {result?.ok && (
        <p role="status" className="flex items-start gap-1.5 text-good">
          <CircleCheck size={14} aria-hidden className="mt-0.75 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {t('answersWithTools', { count: result.tools.length, tools: result.tools.join(', ') })}
          </span>
        </p>
      )}
      {result && !result.ok && (
        <Notice what={result.error} meaning={result.next_step}>
          {result.error_kind === 'sign_in' && <SignIn draft={draft} />}
          {result.log.length > 0 && (
            <pre className="max-h-32 w-full overflow-auto whitespace-pre-wrap font-mono text-sm">
              {result.log.join('\n')}
            </pre>
          )}
        </Notice>
      )}
    </div>
  )
}

/** The browser comes back to the service by itself; after that the test passes. */
function SignIn({ draft }: { draft: ServerDraft }) {
  const client = useClient()
  const signIn = useMutation({
    mutationFn: () => client.call(startMcpSignIn, { body: testInputOf(draft) }),
    onSuccess: ({ authorization_url, error }) => {
      if (authorization_url) openLink(authorization_url)
      if (error) notifyError(new Error(error))
    },
    onError: notifyError,
  })
  return (
    <Button size="small" busy={signIn.isPending} onClick={() => signIn.mutate()}>
      {t('signInWithBrowser')}
    </Button>
  )
}
