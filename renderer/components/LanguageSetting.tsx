import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { settingsQuery } from '../api/queries.ts'
import { useClient } from '../api/session.ts'
import { LANGUAGE, rememberLanguage } from '../language/current.ts'

/**
 * Gives the window the language of the settings: at its start and where it is chosen, by loading the page again; a choice
 * from elsewhere, with the next start, as a person may be writing. Shows nothing itself.
 */
export function LanguageSetting() {
  const client = useClient()
  const { data: settings } = useQuery(settingsQuery(client))
  const isKnown = settings !== undefined
  const language = settings?.language ?? null
  const isStart = useRef(true)
  useEffect(() => {
    if (!isKnown) return
    const isOther = rememberLanguage(language)
    if (isOther && (isStart.current || location.hash.startsWith('#/settings'))) location.reload()
    isStart.current = false
  }, [isKnown, language])
  useEffect(() => {
    // Without its menus in the language, the window works all the same.
    window.atelier?.speak(LANGUAGE).catch(() => {})
  }, [])
  return null
}
