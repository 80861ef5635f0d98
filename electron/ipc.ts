/** The one typed bridge between the window and the desktop. Types only; both sides import them. */
export interface Desktop {
  /** Where the service is and the key to use it with. Rejects with the reason when it could not start. */
  connection(): Promise<Connection>
  /** Asks for a folder; null when dismissed. */
  chooseFolder(): Promise<string | null>
  /** Where a file or folder that was dropped lies; '' for one that lies nowhere. */
  pathOf(file: File): string
  /** Opens an http(s) page in the user's browser; anything else is refused. */
  openExternal(url: string): Promise<void>
  /** The editors that are installed. */
  editors(): Promise<Editor[]>
  /** Opens a file or folder of a conversation's sandbox in one of them; rejects in words. */
  openInEditor(request: EditorRequest): Promise<void>
  /** Writes a file of a conversation's sandbox, or a folder as an archive, to where the person says. */
  download(request: DownloadRequest): Promise<void>
  /** Ends a download; an id that is not known changes nothing. */
  cancelDownload(id: number): Promise<void>
  /** Hears how downloads go that take a while, and how each ends. @returns what ends that */
  onDownload(heard: (download: DownloadState) => void): () => void
  /** Where the pages of a sandbox are shown: the partition of a `webview`. Rejects in words. */
  openPreview(sandboxId: string): Promise<string>
  /** What a preview shows, as a `data:` address; of the contents of its `webview`, by their id. */
  pictureOfPreview(contentsId: number): Promise<string>
  /** Shows a conversation in a window of its own. */
  openConversation(id: string): Promise<void>
  /** Whether this is such a window. */
  readonly isConversationWindow: boolean
  /** Says the name of each file that a preview would have downloaded. @returns what ends that */
  onPreviewDownload(heard: (name: string) => void): () => void
  notify(notification: DesktopNotification): Promise<void>
  /** Hears what a person chose in a notification. @returns what ends that */
  onNotificationChoice(heard: (choice: NotificationChoice) => void): () => void
  /** Menus and dialogs are in this language from then on; one that there is not changes nothing. */
  speak(language: string): Promise<void>
  /** Frame, menus and dialogs are light or dark from then on; anything else changes nothing. */
  setTheme(theme: 'system' | 'light' | 'dark'): Promise<void>
  /** How the updates of the app stand. */
  updates(): Promise<Updates>
  /** What the person decides about them; one that makes no sense now changes nothing. */
  changeUpdates(action: UpdateAction): Promise<void>
  /** Hears how they stand whenever that changes. @returns what ends that */
  onUpdates(heard: (updates: Updates) => void): () => void
  background(): Promise<Background>
  /** Rejects in words, and changes nothing then. */
  changeBackground(change: Partial<BackgroundChoices>): Promise<Background>
  /**
   * After all data was deleted: starts the app again, which deletes the rest. Nothing is deleted that was not to be.
   * @returns false where it goes on
   */
  beginAnew(): Promise<boolean>
  /** Ends the app. */
  quit(): Promise<void>
  readonly platform: string
}

/** What the app does beside its windows, by choice. */
export interface BackgroundChoices {
  /** Whether an icon in the tray shows what works and what waits. */
  tray: boolean
  /** Whether the app goes on in the tray when its window is closed. */
  keepRunning: boolean
  /** Whether it starts at log-in, in the tray. */
  startAtLogin: boolean
  /** Whether windows are drawn with the graphics card from the next start on: `failed` where that has crashed too often. */
  graphics: 'used' | 'unused' | 'failed'
}

export interface Background extends BackgroundChoices {
  /** Whether this desktop shows icons in a tray. Without one the app ends with its windows. */
  showsTrays: boolean
  /** false for an app that is not installed: nothing could be started at log-in. */
  canStartAtLogin: boolean
}

/** Why a link is not opened, as the launcher's page is given it. */
export type LinkProblem = 'unknown' | 'elsewhere' | 'too_long' | 'hidden'

export interface DesktopNotification {
  title: string
  body: string
  /** Whose page a click opens. */
  conversation: string
  /** Id of the call that the text shows in full, so that it can be answered there; null for none. Linux has no buttons for that. */
  call: string | null
}

export interface NotificationChoice {
  conversation: string
  call: string | null
  choice: 'accept' | 'reject'
}

export interface Editor {
  id: string
  name: string
  /** Whether it opens files of a container, and not only those of this computer. */
  opensContainers: boolean
}

export interface EditorRequest {
  /** Id of an editor. */
  editor: string
  conversation: string
  /** Absolute path in the sandbox. */
  path: string
}

export interface DownloadRequest {
  conversation: string
  /** Absolute path in the sandbox. */
  path: string
}

export interface DownloadState {
  id: number
  /** Under which it was written. */
  name: string
  receivedBytes: number
  /** null for an archive, whose size is not known before its end. */
  totalBytes: number | null
  state: 'progressing' | 'completed' | 'cancelled' | 'failed'
}

export interface Connection {
  url: string
  /** The window's own key: it ends with the app, and goes on when the API's key is rotated. */
  key: string
  /** The API's key as it is now, to be copied for other tools. */
  sessionApiKey: string
}

export interface Updates {
  /** The version that runs. */
  version: string
  /** Whether Atelier may look by itself; null until the person has been asked. */
  allowed: boolean | null
  /** When it last looked, as an ISO time; null for never. */
  checkedAt: string | null
  state: UpdateState
  /** The version that ran before the last update, with the name of the backup that was made then. */
  previous: { version: string; backup: string } | null
}

export type UpdateState =
  | { kind: 'unavailable'; reason: 'no_feed' | 'broken_feed' }
  /** Nothing is known to be newer. `problem`: why the last look failed. */
  | { kind: 'idle'; problem: UpdateProblem | null }
  | { kind: 'checking' }
  | { kind: 'available'; release: UpdateRelease; problem: UpdateProblem | null }
  | { kind: 'downloading'; release: UpdateRelease; receivedBytes: number }
  /** Downloaded and verified; installed when the person quits. */
  | { kind: 'ready'; release: UpdateRelease; problem: UpdateProblem | null }
  | { kind: 'installing'; release: UpdateRelease }

export interface UpdateRelease {
  version: string
  /** ISO time. */
  date: string
  /** Markdown of the feed. */
  notes: string
  bytes: number
  /** Whether it is the version before. */
  isOlder: boolean
  /** Where the package is to be had, for an installation that Atelier cannot replace itself; null where it can. */
  manual: { url: string; sha512: string } | null
}

export const UPDATE_PROBLEMS = [
  'unreachable',
  'bad_signature',
  'bad_feed',
  'cut_off',
  'wrong_file',
  'disk_full',
  'no_backup',
  'not_permitted',
  'not_installed',
] as const
export type UpdateProblemCode = (typeof UPDATE_PROBLEMS)[number]

export interface UpdateProblem {
  code: UpdateProblemCode
  /** What exactly failed, in English; null when the code says it all. */
  detail: string | null
}

export const UPDATE_ACTIONS = ['allow', 'forbid', 'check', 'download', 'cancel', 'install', 'go_back'] as const
export type UpdateAction = (typeof UPDATE_ACTIONS)[number]

export const CHANNELS = {
  connection: 'atelier:connection',
  chooseFolder: 'atelier:choose-folder',
  openConversation: 'atelier:open-conversation',
  openExternal: 'atelier:open-external',
  editors: 'atelier:editors',
  openInEditor: 'atelier:open-in-editor',
  download: 'atelier:download',
  cancelDownload: 'atelier:cancel-download',
  downloadChanged: 'atelier:download-changed',
  openPreview: 'atelier:open-preview',
  pictureOfPreview: 'atelier:picture-of-preview',
  previewDownload: 'atelier:preview-download',
  notify: 'atelier:notify',
  notificationChoice: 'atelier:notification-choice',
  speak: 'atelier:speak',
  setTheme: 'atelier:set-theme',
  updates: 'atelier:updates',
  changeUpdates: 'atelier:change-updates',
  updatesChanged: 'atelier:updates-changed',
  background: 'atelier:background',
  changeBackground: 'atelier:change-background',
  beginAnew: 'atelier:begin-anew',
  quit: 'atelier:quit',
} as const satisfies Record<
  | Exclude<
      keyof Desktop,
      | 'platform'
      | 'isConversationWindow'
      | 'pathOf'
      | 'onDownload'
      | 'onPreviewDownload'
      | 'onNotificationChoice'
      | 'onUpdates'
    >
  | 'downloadChanged'
  | 'updatesChanged'
  | 'previewDownload'
  | 'notificationChoice',
  string
>

/** Argument of the page of a window that shows one conversation. */
export const CONVERSATION_WINDOW = '--atelier-conversation-window'

/** How an answer crosses: Electron would wrap a rejection's words in its own. */
export type Answer<T> = { ok: true; value: T } | { ok: false; reason: string }

declare global {
  interface Window {
    /** Present in the desktop app, absent in a browser. */
    readonly atelier?: Desktop
  }
}
