import type { FolderFile } from '../../../../../server/api/v1/conversation/folder/apply.ts'
import { CHOICES, type Choice, type ChoiceByPath, openConflicts } from '../../../../state/conversation/folder-apply.ts'
import { shownName } from '../../../../state/files/tree.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Select } from '../../../../ui/field/Select.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { t } from '../text.ts'

/** More of one kind are counted: nobody reads them one by one. */
const MAX_SHOWN = 500

interface ChoiceProps {
  choices: ChoiceByPath
  onChoose: (choices: ChoiceByPath) => void
}

/** Conflicts first, then what is never written, then the rest. */
export function ApplyFiles({ files, ...choosing }: ChoiceProps & { files: readonly FolderFile[] }) {
  const of = (state: FolderFile['state']) => files.filter(file => file.state === state)
  const [conflicts, refused, fitting] = [of('conflict'), of('refused'), of('fits')]
  return (
    <>
      {conflicts.length > 0 && (
        <section aria-label={t('conflicts')} className="flex flex-col gap-2">
          <h3 className="font-medium">{t('changedInBoth', { count: conflicts.length })}</h3>
          {conflicts.length > 1 && <ForAll conflicts={conflicts} {...choosing} />}
          <ul className="flex flex-col gap-2">
            {conflicts.map(file => (
              <li key={file.path} className="flex flex-col gap-1 rounded-md border border-line p-2">
                <FileLine file={file} />
                {file.reason && (
                  // What the service says is English.
                  <p className="text-sm text-soft">
                    <bdi lang="en">{file.reason}</bdi>
                  </p>
                )}
                <Select<Choice>
                  aria-label={t('whichFile', { path: shownName(file.path) })}
                  value={choosing.choices[file.path] ?? null}
                  placeholder={t('chooseWhichFile')}
                  options={OPTIONS}
                  onValueChange={choice => choosing.onChoose({ ...choosing.choices, [file.path]: choice })}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Files title={t('neverWritten', { count: refused.length })} files={refused} />
      <Files title={t('filesThatFit', { count: fitting.length })} files={fitting} />
    </>
  )
}

const WORDS: Record<Choice, string> = { keep_mine: t('keepFileInFolder'), take_theirs: t('takeFileOfConversation') }
const OPTIONS = CHOICES.map(value => ({ value, label: WORDS[value] }))

function ForAll({ conflicts, choices, onChoose }: ChoiceProps & { conflicts: readonly FolderFile[] }) {
  const open = openConflicts(conflicts, choices)
  const chooseAll = (choice: Choice) => {
    const those = open.length > 0 ? open : conflicts
    onChoose({ ...choices, ...Object.fromEntries(those.map(({ path }) => [path, choice])) })
  }
  return (
    <div className="flex flex-wrap items-center gap-2 text-soft">
      <span>{open.length > 0 ? t('forAllOpen', { count: open.length }) : t('forAll')}</span>
      {CHOICES.map(choice => (
        <Button key={choice} size="small" onClick={() => chooseAll(choice)}>
          {WORDS[choice]}
        </Button>
      ))}
    </div>
  )
}

function Files({ title, files }: { title: string; files: readonly FolderFile[] }) {
  if (files.length === 0) return null
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="font-medium">{title}</h3>
      <ul>
        {files.slice(0, MAX_SHOWN).map(file => (
          <li key={file.path} className="py-0.5 [content-visibility:auto]">
            <FileLine file={file} />
            {file.reason && (
              // What the service says is English.
              <p className="text-sm text-soft">
                <bdi lang="en">{file.reason}</bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
      {files.length > MAX_SHOWN && <p className="text-faint">{t('andMore', { count: files.length - MAX_SHOWN })}</p>}
    </section>
  )
}

const STATUS = {
  ADDED: { tone: 'good', word: t('new') },
  UPDATED: null,
  DELETED: { tone: 'bad', word: t('deleted') },
} as const

function FileLine({ file: { path, status, added, removed } }: { file: FolderFile }) {
  const mark = STATUS[status]
  return (
    <span className="flex items-center gap-2">
      <span className="min-w-0 flex-1 break-all font-mono text-sm">
        <PathText path={path} />
      </span>
      {mark && <Badge tone={mark.tone}>{mark.word}</Badge>}
      {added !== null && removed !== null && (
        <span className="shrink-0 text-sm tabular">
          <span className="text-good">+{added}</span> <span className="text-bad">−{removed}</span>
        </span>
      )}
    </span>
  )
}
