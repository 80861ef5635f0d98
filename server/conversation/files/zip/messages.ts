/** To the thread. Each but `more` is answered with `ready`, once it is packed and the archive has room again. */
export type ToZipThread =
  | { kind: 'entry'; name: string; modifiedAt: Date; content: Uint8Array | undefined }
  /** Of an entry without content. */
  | { kind: 'piece'; content: Uint8Array }
  | { kind: 'entry-end' }
  | { kind: 'archive-end' }
  /** Answered with the next bytes of the archive, or its end. */
  | { kind: 'more' }

export type FromZipThread =
  | { kind: 'ready' }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'end' }
  | { kind: 'failed'; message: string }
