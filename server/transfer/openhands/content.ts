import type { Content, TextContent } from '../../api/event/content.ts'
import { type Fields, fieldsOf, given, imagesIn, integerIn, listIn, optionalText, textIn } from './values.ts'

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

export function textsOf(text: string): { type: 'text'; text: string }[] {
  return [{ type: 'text', text }]
}

/** Of a command. */
export function metadataOf(metadata: Fields) {
  return {
    exit_code: integerIn(metadata, 'exit_code') ?? -1,
    pid: integerIn(metadata, 'pid') ?? -1,
    ...given('username', optionalText(metadata, 'username')),
    ...given('hostname', optionalText(metadata, 'hostname')),
    ...given('working_dir', optionalText(metadata, 'working_dir')),
    ...given('py_interpreter_path', optionalText(metadata, 'py_interpreter_path')),
    prefix: textIn(metadata, 'prefix'),
    suffix: textIn(metadata, 'suffix'),
  }
}
