import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { conversationListQuery, conversationQuery, settingsQuery } from '../api/queries.ts'
import { useClient } from '../api/session.ts'
import { announcementsOf, type SeenStates, seenStates, windowTitle } from '../state/notice/announcements.ts'
import { playChime } from '../state/notice/chime.ts'
import { desktopNotificationsOn } from '../state/notice/desktop-notifications.ts'

/** Says when an agent's work ends or waits for a word, in whatever conversation. Shows nothing itself. */
export function Notifier() {
  const client = useClient()
  const { data: settings } = useQuery(settingsQuery(client))
  const { data: list } = useInfiniteQuery(conversationListQuery(client, ''))
  const { conversationId: openId = '' } = useParams({ strict: false })
  const { data: open } = useQuery({ ...conversationQuery(client, openId), enabled: openId !== '' })
  const seen = useRef<SeenStates>(new Map())
  const withSound = settings?.enable_sound_notifications ?? false
  useEffect(() => {
    const conversations = list?.pages.flatMap(({ items }) => items) ?? []
    const announcements = announcementsOf(seen.current, conversations)
    seen.current = seenStates(conversations)
    if (announcements.length === 0) return
    if (withSound) playChime()
    if (!desktopNotificationsOn()) return
    // A desktop that shows no notifications is no problem of the conversation's.
    for (const announcement of announcements) window.atelier?.notify(announcement).catch(() => {})
  }, [list, withSound])
  useEffect(() => {
    document.title = windowTitle(list?.pages.flatMap(({ items }) => items) ?? [], open)
  }, [list, open])
  return null
}
