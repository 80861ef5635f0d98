import { copyImage, LABEL } from '../../docker/container/labels.ts'
import type { EngineUsage } from '../../docker/usage.ts'

/**
 * Bytes that go with each sandbox, by its id: what it has written, the image that it was copied from, and the data of its
 * services. Data that no service has any more can go by itself, and is not counted.
 */
export function sandboxSizes({ containers, images, volumes }: EngineUsage): ReadonlyMap<string, number> {
  const imageBytes = new Map(images.flatMap(({ names, bytes }) => names.map(name => [name, bytes] as const)))
  const dataBytes = new Map<string, number>()
  for (const { labels, bytes, isUsed } of volumes) {
    const owner = labels[LABEL.sandbox]
    if (owner && isUsed) dataBytes.set(owner, (dataBytes.get(owner) ?? 0) + bytes)
  }
  const sizes = containers.map(({ name, bytes }) => {
    const besides = (imageBytes.get(copyImage(name)) ?? 0) + (dataBytes.get(name) ?? 0)
    return [name, bytes + besides] as const
  })
  return new Map(sizes)
}
