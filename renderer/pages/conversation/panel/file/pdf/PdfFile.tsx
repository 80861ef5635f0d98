import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileBytesQuery } from '../../../../../api/sandbox/files.ts'
import { useClient } from '../../../../../api/session.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { EmptyState } from '../../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../../context.ts'
import { t } from '../../files/text.ts'
import { useFileActs } from '../../files/use-file-acts.ts'
import type { PdfProblemCode, PdfReplies } from './messages.ts'
import { PdfPages } from './PdfPages.tsx'
import { PdfProblem, PdfReader } from './reader.ts'

type Opened = PdfReplies['open'] & { reader: PdfReader }

const PROBLEMS: Record<PdfProblemCode, string> = {
  password: t('pdfPassword'),
  damaged: t('pdfDamaged'),
  slow: t('pdfSlow'),
}

/** A document is read and drawn in workers, and the window shows pictures of its pages with its text over them. */
export function PdfFile({ path }: { path: string }) {
  const { id } = useOpenConversation()
  const acts = useFileActs(() => {})
  const { data, error, refetch } = useQuery(fileBytesQuery(useClient(), id, path))
  const [opened, setOpened] = useState<Opened | null>(null)
  const [problem, setProblem] = useState<PdfProblemCode | null>(null)
  useEffect(() => {
    if (!data) return
    const reader = new PdfReader(data)
    const isWanted = new AbortController()
    setProblem(null)
    reader.open().then(
      facts => isWanted.signal.aborted || setOpened({ ...facts, reader }),
      reason => isWanted.signal.aborted || setProblem(reason instanceof PdfProblem ? reason.code : 'damaged'),
    )
    return () => {
      isWanted.abort()
      reader.close()
      setOpened(null)
    }
  }, [data])
  if (error && !data)
    return (
      <div className="p-4">
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (problem)
    return (
      <EmptyState
        title={PROBLEMS[problem]}
        action={
          <Button look="primary" onClick={() => acts.download(path, false)}>
            {t('download')}
          </Button>
        }
      >
        {t('pdfElsewhere')}
      </EmptyState>
    )
  if (!opened) return <Skeleton label={t('loading')} lines={6} className="p-4" />
  return <PdfPages {...opened} />
}
