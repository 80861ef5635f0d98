import { useQuery } from '@tanstack/react-query'
import { Container } from 'lucide-react'
import type { DevContainerOffer, LeftOutReason } from '../../../server/api/v1/sandbox/dev-containers.ts'
import { devContainersQuery } from '../../api/sandbox/dev-containers.ts'
import { useClient } from '../../api/session.ts'
import { devContainerSource, type LaunchDraft } from '../../state/launch/launch.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { RadioChoice } from '../../ui/field/RadioChoice.tsx'
import { Chip } from './Chip.tsx'
import { t } from './text.ts'

export interface DevContainerChipProps {
  draft: LaunchDraft
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** The repository or the folder may say itself what its sandbox is. It is looked at when somebody asks. */
export function DevContainerChip({ draft, onChange }: DevContainerChipProps) {
  return (
    <Chip icon={Container} name={t('devContainer')} value={draft.devContainer || null} empty={t('devContainer')}>
      <DevContainerChoice draft={draft} onChange={onChange} />
    </Chip>
  )
}

function DevContainerChoice({ draft, onChange }: DevContainerChipProps) {
  const { data, error, refetch, isFetching } = useQuery(devContainersQuery(useClient(), devContainerSource(draft)))
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!data) return <p className="text-faint text-sm">{t('lookingForDevContainers')}</p>
  if (data.length === 0) return <p className="text-faint text-sm">{t('noDevContainersFound')}</p>
  const options = [
    { value: '', label: t('noDevContainer'), detail: t('asSandboxSpec') },
    ...data.map(offer => ({ value: offer.path, label: offer.name, detail: <Offer offer={offer} /> })),
  ]
  const isUsable = (path: string) => path === '' || data.some(offer => offer.path === path && offer.problem === null)
  return (
    <>
      <RadioChoice
        aria-label={t('devContainer')}
        value={draft.devContainer}
        options={options}
        onValueChange={path => {
          if (isUsable(path)) onChange({ devContainer: path })
        }}
      />
      <p className="text-faint text-sm">{t('devContainerMeans')}</p>
    </>
  )
}

function Offer({ offer }: { offer: DevContainerOffer }) {
  return (
    <span className="flex flex-col gap-0.5">
      {sentencesOf(offer).map(sentence => (
        <span key={sentence} className="wrap-anywhere">
          {sentence}
        </span>
      ))}
    </span>
  )
}

function sentencesOf(offer: DevContainerOffer): string[] {
  if (offer.problem !== null) return [offer.problem]
  const { dockerfile, image, user } = offer
  return [
    ...(dockerfile === null ? [] : [t('builtFrom', { dockerfile })]),
    ...(image === null ? [] : [t('fromImage', { image })]),
    ...named(offer.features, names => t('withFeatures', { names })),
    ...(user === null ? [] : [t('runsAsUser', { user })]),
    ...named(offer.variables, names => t('setsVariables', { names })),
    ...named(offer.commands, names => t('runsCommands', { names })),
    ...named(portsIn(offer), names => t('namesPorts', { names })),
    ...LEFT_OUT.flatMap(({ reasons, words }) =>
      named(
        offer.left_out.filter(({ reason }) => reasons.includes(reason)).map(({ property }) => property),
        words,
      ),
    ),
    ...(offer.image_ready === null ? [] : [offer.image_ready ? t('imageReady') : t('imageMadeFirst')]),
  ]
}

/** Each with what the configuration says of it. */
function portsIn({ ports, port_attributes }: DevContainerOffer): string[] {
  return [...new Set([...ports, ...port_attributes.map(({ port }) => port)])].map(port => {
    const { label, on_auto_forward } = port_attributes.find(each => each.port === port) ?? {}
    const said = [label, on_auto_forward].filter(Boolean)
    return said.length > 0 ? `${port} (${said.join(', ')})` : String(port)
  })
}

const LEFT_OUT: readonly { reasons: readonly LeftOutReason[]; words: (names: string) => string }[] = [
  { reasons: ['runs_on_host'], words: names => t('leftOutOnHost', { names }) },
  { reasons: ['engine_options', 'privileges'], words: names => t('leftOutConfined', { names }) },
  { reasons: ['mounts'], words: names => t('leftOutMounts', { names }) },
  { reasons: ['compose'], words: names => t('leftOutCompose', { names }) },
  { reasons: ['not_supported'], words: names => t('leftOutOther', { names }) },
]

function named(names: readonly string[], words: (names: string) => string): string[] {
  return names.length === 0 ? [] : [words(names.join(', '))]
}
