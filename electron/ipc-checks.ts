import type { WebContents, WebFrameMain } from 'electron'
import { isAppAddress } from './addresses.ts'
import type { DesktopNotification, DownloadRequest, EditorRequest } from './ipc.ts'

interface IpcSender {
  sender: Pick<WebContents, 'id'>
  senderFrame: Pick<WebFrameMain, 'parent' | 'url'> | null
}

/** Only the main frame of our window, while it shows our page. A frame that is gone cannot be checked, so it may not. */
export function isOwnPage({ sender, senderFrame }: IpcSender, own: Pick<WebContents, 'id'>): boolean {
  return sender.id === own.id && senderFrame !== null && senderFrame.parent === null && isAppAddress(senderFrame.url)
}

const MAX_PATH = 4096
const MAX_BODY = 1_000

export function parseEditorRequest(value: unknown): EditorRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { editor, conversation, path } = value as Record<string, unknown>
  if (typeof editor !== 'string' || typeof conversation !== 'string' || typeof path !== 'string') return undefined
  return path.startsWith('/') && path.length <= MAX_PATH ? { editor, conversation, path } : undefined
}

export function parseDownloadRequest(value: unknown): DownloadRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { conversation, path } = value as Record<string, unknown>
  if (!isConversationId(conversation) || typeof path !== 'string') return undefined
  return path.startsWith('/') && path.length <= MAX_PATH ? { conversation, path } : undefined
}

export function isConversationId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f-]{32,36}$/i.test(value)
}

const MAX_CALL = 100

export function parseNotification(value: unknown): DesktopNotification | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { title, body, conversation, call } = value as Record<string, unknown>
  if (typeof title !== 'string' || typeof body !== 'string' || title === '') return undefined
  if (!isConversationId(conversation)) return undefined
  // What is cut off cannot be read, and so not be answered.
  const isWhole = body.length <= MAX_BODY
  return {
    title: title.slice(0, 200),
    body: body.slice(0, MAX_BODY),
    conversation,
    call: isWhole && typeof call === 'string' && call.length <= MAX_CALL ? call : null,
  }
}
