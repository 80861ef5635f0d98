import { useQuery } from '@tanstack/react-query'
import { profilesQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import type { AttemptModel } from '../../state/conversation/attempt-choice.ts'

/** The saved models, and what a text that is typed for the model of an attempt stands for: one of them, or a model. */
export function useSavedModels() {
  const saved = useQuery(profilesQuery(useClient())).data?.profiles ?? []
  const modelOf = (text: string): AttemptModel => {
    const isSaved = saved.some(({ name }) => name === text.trim())
    return isSaved ? { model: '', profile: text.trim() } : { model: text, profile: '' }
  }
  return { saved, modelOf }
}
