import { formatBytes } from '../format.ts'
import { t } from './text.ts'

export interface Attachment {
  readonly name: string
  readonly dataUrl: string
  readonly bytes: number
}

/** Why a file was not taken. */
export interface Refusal {
  readonly name: string
  readonly reason: string
}

/** What the providers' models read, and the largest picture that all of them take. */
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const MAX_IMAGE_BYTES = 5_000_000
const MAX_IMAGES = 8

/** Reads pictures; what cannot be read is said, file by file. */
export async function readImages(files: readonly File[]) {
  const images: Attachment[] = []
  const refused: Refusal[] = []
  for (const file of files) {
    const reason = refusalOf(file, images.length)
    if (reason) refused.push({ name: file.name, reason })
    else {
      const name = file.name || t('picture')
      const dataUrl = await dataUrlOf(file).catch(() => null)
      if (dataUrl === null) refused.push({ name: file.name, reason: t('fileCouldNotBeRead', { name }) })
      else images.push({ name, dataUrl, bytes: file.size })
    }
  }
  return { images, refused }
}

/** Adds pictures to those there are now: others may have come while these were read. What is too many is refused. */
export function appendImages(present: readonly Attachment[], more: readonly Attachment[]) {
  const room = Math.max(0, MAX_IMAGES - present.length)
  const reason = t('tooManyImages', { limit: MAX_IMAGES })
  const refused: Refusal[] = more.slice(room).map(({ name }) => ({ name, reason }))
  return { images: [...present, ...more.slice(0, room)], refused }
}

export function isPicture({ type }: Pick<File, 'type'>): boolean {
  return TYPES.includes(type)
}

export function refusalOf({ type, size }: Pick<File, 'type' | 'size'>, present: number): string | null {
  if (!isPicture({ type })) return t('onlyPng')
  if (size > MAX_IMAGE_BYTES)
    return t('imageTooLarge', { size: formatBytes(size), limit: formatBytes(MAX_IMAGE_BYTES) })
  if (present >= MAX_IMAGES) return t('tooManyImages', { limit: MAX_IMAGES })
  return null
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error(t('fileCouldNotBeRead', { name: file.name })))
    reader.readAsDataURL(file)
  })
}

/** Takes up pictures that came with a request again; the names they had are not known any more. */
export function attachmentsOf(dataUrls: readonly string[]): Attachment[] {
  return dataUrls.map((dataUrl, place) => ({
    name: t('pictureNumber', { number: place + 1 }),
    dataUrl,
    bytes: Math.floor((dataUrl.length - dataUrl.indexOf(',') - 1) * 0.75),
  }))
}
