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

/** Adds pictures to those there are; what cannot be added is said, file by file. */
export async function readImages(files: readonly File[], present: readonly Attachment[]) {
  const images = [...present]
  const refused: Refusal[] = []
  for (const file of files) {
    const reason = refusalOf(file, images.length)
    if (reason) refused.push({ name: file.name, reason })
    else images.push({ name: file.name || t('picture'), dataUrl: await dataUrlOf(file), bytes: file.size })
  }
  return { images, refused }
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
