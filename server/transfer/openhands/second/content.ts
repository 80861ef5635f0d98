import type { Content, TextContent } from '../../../api/event/content.ts'
import { fieldsOf, imagesIn, listIn, textIn } from '../values.ts'

/** Text and images in their order, as every version has written them. */
export function contentOf(value: unknown): Content[] {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }]
  if (!Array.isArray(value)) return []
  return value.flatMap((part): Content[] => {
    const fields = fieldsOf(part)
    if (typeof part === 'string') return [{ type: 'text', text: part }]
    if (fields.type === 'text') return [{ type: 'text', text: textIn(fields, 'text') }]
    const image_urls = imagesIn([...listIn(fields, 'image_urls'), fieldsOf(fields.image_url).url])
    return image_urls.length > 0 ? [{ type: 'image', image_urls }] : []
  })
}

export function textsIn(value: unknown): TextContent[] {
  return contentOf(value).filter(part => part.type === 'text')
}
