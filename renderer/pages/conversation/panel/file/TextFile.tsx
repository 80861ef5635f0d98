import { lazy, Suspense, useRef, useState } from 'react'
import { ApiError } from '../../../../../server/client/api-error.ts'
import { separatorOf } from '../../../../state/files/csv.ts'
import { isMarkdown } from '../../../../state/files/kind.ts'
import { formatBytes } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { Markdown } from '../../timeline/message/Markdown.tsx'
import { t } from '../files/text.ts'
import { BinaryFile } from './BinaryFile.tsx'
import { ConflictBar } from './ConflictBar.tsx'
import type { CodeEditor } from './code-editor.ts'
import { TableView } from './TableView.tsx'
import { useFileText } from './use-file-text.ts'

/** Large, and not wanted before a file is opened. */
const TextEditor = lazy(async () => ({ default: (await import('./TextEditor.tsx')).TextEditor }))

/** A text that is edited, or shown as what it is written for. */
export function TextFile({ path, onDirty }: { path: string; onDirty: (isDirty: boolean) => void }) {
  const editor = useRef<Pick<CodeEditor, 'text' | 'replace'>>(null)
  const file = useFileText(path, { onDirty, onOther: text => editor.current?.replace(text) })
  const [isRendered, setRendered] = useState(true)
  const { query, base, text } = file
  if (query.error && !base) {
    if (query.error instanceof ApiError && query.error.code === 'file_not_text') return <BinaryFile path={path} />
    return (
      <div className="p-4">
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  if (!base) return <Skeleton label={t('loading')} lines={6} className="p-4" />
  const separator = separatorOf(path, text)
  const canRender = isMarkdown(path) || separator !== null
  const shows = canRender && isRendered
  return (
    <>
      {file.conflict && <ConflictBar path={path} file={file} />}
      {base.version === null && (
        <p role="status" className="border-line border-b bg-wait-wash px-4 py-2">
          {t('onlyBeginning', { size: formatBytes(base.size_bytes) })}
        </p>
      )}
      <div className="min-h-0 flex-1" hidden={shows}>
        <Suspense fallback={<Skeleton label={t('loading')} lines={6} className="p-4" />}>
          <TextEditor
            ref={editor}
            path={path}
            text={base.text}
            isReadOnly={base.version === null}
            onChange={file.change}
            onSave={file.save}
          />
        </Suspense>
      </div>
      {shows && separator !== null && <TableView text={text} separator={separator} />}
      {shows && separator === null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div tabIndex={0} className="min-h-0 flex-1 overflow-auto p-6">
          <div className="mx-auto max-w-190">
            <Markdown text={text} />
          </div>
        </div>
      )}
      <footer className="flex shrink-0 items-center gap-3 border-line border-t px-4 py-2">
        {canRender && (
          <Button size="small" onClick={() => setRendered(!isRendered)}>
            {shows ? t('showText') : separator === null ? t('showFormatted') : t('showTable')}
          </Button>
        )}
        <span role="status" className="flex-1 text-soft">
          {file.isDirty ? t('notSaved') : file.isSaved ? t('saved') : ''}
        </span>
        {file.problem ? <ErrorNotice error={file.problem} /> : null}
        {base.version !== null && (
          <Button
            look="primary"
            busy={file.isSaving}
            disabledReason={file.isDirty ? null : t('nothingToSave')}
            onClick={file.save}
          >
            {t('save')}
          </Button>
        )}
      </footer>
    </>
  )
}
