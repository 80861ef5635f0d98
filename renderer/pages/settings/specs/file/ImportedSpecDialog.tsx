import type { ReactNode } from 'react'
import type { SandboxSpecInfo } from '../../../../../server/api/v1/sandbox/specs.ts'
import type { ImportedSpec } from '../../../../api/sandbox/spec-files.ts'
import { useDeleteSpec } from '../../../../api/specs.ts'
import { NETWORK_WORDS, PRESET_WORDS } from '../../../../state/network/words.ts'
import { specWords } from '../../../../state/settings/spec-draft.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { PlainList } from './PlainList.tsx'
import { t } from './text.ts'

/** What a file said, before a sandbox is started from it. */
export function ImportedSpecDialog({ imported, onClose }: { imported: ImportedSpec; onClose: () => void }) {
  const { spec, left_out } = imported
  const removal = useDeleteSpec()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('isImported', { title: spec.title })}
      description={t('readBeforeUse')}
      footer={
        <>
          <Button busy={removal.isPending} onClick={() => removal.mutate(spec.id, { onSuccess: onClose })}>
            {t('removeAgain')}
          </Button>
          <Button look="primary" onClick={onClose}>
            {t('keep')}
          </Button>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        <Line name={t('image')}>{imageWords(imported)}</Line>
        <Line name={t('network')}>{NETWORK_WORDS[spec.network].label}</Line>
        <Hosts spec={spec} />
        <Line name={t('limits')}>{specWords({ ...spec, network: 'full' }) || t('default')}</Line>
        <Line name={t('workingFolder')}>
          <Code>{spec.working_dir}</Code>
        </Line>
        {spec.command && (
          <Line name={t('command')}>
            <Code>{spec.command.join(' ')}</Code>
          </Line>
        )}
        {Object.keys(spec.initial_env).length > 0 && (
          <Line name={t('environment')}>
            <Code>{lines(spec.initial_env)}</Code>
          </Line>
        )}
        {spec.dockerfile !== null && (
          <Line name={t('dockerfile')}>
            <Code>{spec.dockerfile}</Code>
          </Line>
        )}
      </dl>
      <PlainList title={t('mountsAreMissing')} items={left_out.mounts} />
      <PlainList title={t('variablesAreMissing')} items={left_out.variables} />
      {removal.error ? <ErrorNotice error={removal.error} /> : null}
    </Dialog>
  )
}

function imageWords({ image, spec }: ImportedSpec): string {
  switch (image) {
    case 'included':
      return t('fromFile')
    case 'bundled':
      return t('fromAtelier')
    case 'built':
      return t('builtHere')
    case 'named':
      return spec.image
  }
}

function Hosts({ spec: { network, allowlist } }: { spec: SandboxSpecInfo }) {
  if (network !== 'allowlist') return null
  return (
    <Line name={t('hosts')}>
      <Code>{[...allowlist.presets.map(preset => PRESET_WORDS[preset].label), ...allowlist.hosts].join('\n')}</Code>
    </Line>
  )
}

function lines(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

function Code({ children }: { children: string }) {
  return (
    <pre
      dir="ltr"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-40 overflow-auto whitespace-pre-wrap font-mono text-sm leading-[18px] [overflow-wrap:anywhere]"
    >
      {children}
    </pre>
  )
}
