import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import type { Client } from '../../server/client/client.ts'
import { conversationListQuery, conversationQuery, settingsQuery } from '../api/queries.ts'
import { useClient } from '../api/session.ts'
import {
  type Announcement,
  announcementsOf,
  type SeenStates,
  seenStates,
  windowTitle,
} from '../state/notice/announcements.ts'
import { playChime } from '../state/notice/chime.ts'
import { desktopNotificationsOn } from '../state/notice/desktop-notifications.ts'
import { readAskedCommand, useNotificationChoice } from './use-notification-choice.ts'

/** Says when an agent's work ends or waits for a word, in whatever conversation. Shows nothing itself. */
export function Notifier() {
  const client = useClient()
  const { data: settings } = useQuery(settingsQuery(client))
  const { data: list } = useInfiniteQuery(conversationListQuery(client, ''))
  const { conversationId: openId = '' } = useParams({ strict: false })
  const { data: open } = useQuery({ ...conversationQuery(client, openId), enabled: openId !== '' })
  const seen = useRef<SeenStates>(new Map())
  const tells = useTells()
  const withSound = settings?.enable_sound_notifications ?? false
  useEffect(() => {
    const conversations = list?.pages.flatMap(({ items }) => items) ?? []
    const announcements = announcementsOf(seen.current, conversations)
    seen.current = seenStates(conversations)
    if (announcements.length === 0 || !tells.current) return
    if (withSound) playChime()
    if (!desktopNotificationsOn()) return
    // A desktop that shows no notifications is no problem of the conversation's.
    for (const announcement of announcements) notify(client, announcement).catch(() => {})
  }, [list, withSound, client, tells])
  useNotificationChoice()
  useEffect(() => {
    document.title = windowTitle(list?.pages.flatMap(({ items }) => items) ?? [], open)
  }, [list, open])
  return null
}

/** Whether it is this window's part to tell: of several it is the oldest that is open. */
function useTells(): RefObject<boolean> {
  const tells = useRef(false)
  useEffect(() => {
    const closed = new AbortController()
    const { signal } = closed
    const untilClosed = () => {
      tells.current = true
      return new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    }
    // It is refused when the window closes before it is its turn.
    navigator.locks.request('atelier.notifier', { signal }, untilClosed).catch(() => {})
    return () => {
      tells.current = false
      closed.abort()
    }
  }, [])
  return tells
}

async function notify(client: Client, { title, body, conversation, asks }: Announcement): Promise<void> {
  if (!window.atelier) return
  const asked = asks ? await readAskedCommand(client, conversation).catch(() => null) : null
  await window.atelier.notify({ title, body: asked?.body ?? body, conversation, call: asked?.call ?? null })
}
