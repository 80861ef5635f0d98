import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AttemptModel } from '../../state/conversation/attempt-choice.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Suggest } from '../../ui/field/Suggest.tsx'
import { useModelSuggestions } from '../model/ModelField.tsx'
import { t } from './text.ts'
import { useSavedModels } from './use-saved-models.ts'

interface AttemptModelsProps {
  models: readonly AttemptModel[]
  onChange: (models: AttemptModel[]) => void
  /** What stands for an empty field; null where there is none. */
  usual: string | null
  /** What an empty field means, in words. */
  emptyMeans: string
  /** Beside what an empty field means. */
  children?: ReactNode
}

/** The model of each of several attempts at one task. */
export function AttemptModels({ models, onChange, usual, emptyMeans, children }: AttemptModelsProps) {
  const { saved, modelOf } = useSavedModels()
  // By their names, which stand for their addresses and keys too.
  const suggestions = [
    ...saved.map(({ name, model }) => ({ value: name, hint: model ?? '' })),
    ...useModelSuggestions(),
  ]
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium">{t('models')}</legend>
      {models.map(({ model, profile }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an attempt is nothing but its place.
        <div key={index} className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <Suggest
              aria-label={t('modelOfAttempt', { number: index + 1 })}
              value={profile || model}
              onValueChange={next => onChange(models.with(index, modelOf(next)))}
              suggestions={suggestions}
              placeholder={usual ?? 'provider/model'}
              mono
            />
          </div>
          <IconButton
            size="small"
            label={t('removeAttempt', { number: index + 1 })}
            icon={<X size={13} aria-hidden />}
            disabledReason={models.length === 1 ? t('oneIsNeeded') : null}
            onClick={() => onChange(models.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div className="flex items-center justify-between gap-2">
        <p className="text-sm text-faint">{emptyMeans}</p>
        {children}
      </div>
    </fieldset>
  )
}
