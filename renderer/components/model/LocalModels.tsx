import { useQuery } from '@tanstack/react-query'
import type { LocalModelServer } from '../../../server/api/v1/system/system.ts'
import { localModelsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { t } from '../text.ts'

export interface LocalModelsProps {
  /** The model in use, if any. */
  chosen: string | null
  onChoose: (choice: { model: string; baseUrl: string }) => void
}

/** Model servers that answer on this machine, with their models; nothing where there are none. */
export function LocalModels({ chosen, onChoose }: LocalModelsProps) {
  const { data: servers = [], isPending } = useQuery(localModelsQuery(useClient()))
  if (servers.length === 0) {
    // While they are looked for, it holds its place: what stands below is pressed meanwhile.
    return <p className={`text-sm text-faint ${isPending ? 'invisible' : ''}`}>{t('noModelServerAnswers')}</p>
  }
  return (
    <div className="flex flex-col gap-2">
      {servers.map(server => (
        <Server key={server.base_url} server={server} chosen={chosen} onChoose={onChoose} />
      ))}
    </div>
  )
}

function Server({ server, chosen, onChoose }: LocalModelsProps & { server: LocalModelServer }) {
  return (
    <section aria-label={server.name} className="rounded-md border border-line">
      <h3 className="flex justify-between gap-2 px-3 py-1.5">
        <span className="font-medium">{server.name}</span>
        <span className="truncate font-mono text-sm text-faint">{server.base_url}</span>
      </h3>
      <ul className="max-h-44 overflow-y-auto border-t border-line">
        {server.models.length === 0 ? <li className="px-3 py-1.5 text-faint">{t('itRuns')}</li> : null}
        {server.models.map(model => (
          <li key={model} className="flex items-center justify-between gap-2 px-3 py-1">
            <span className="truncate font-mono text-sm">{model}</span>
            {chosen === model ? (
              <span className="text-sm text-good">{t('inUse')}</span>
            ) : (
              <Button
                size="small"
                aria-label={t('useModel', { model })}
                onClick={() => onChoose({ model, baseUrl: server.base_url })}
              >
                {t('use')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
