import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Content } from '../api/event/content.ts'

const MAX_IMAGES = 10
const MAX_IMAGE_CHARACTERS = 7 * 2 ** 20
const IMAGE = /^image\/(png|jpeg|gif|webp)$/i

type Block = CallToolResult['content'][number]

/** What a server answered, as a model can read it: texts, pictures, and notes in the place of what it cannot see. */
export function toContent({ content, structuredContent }: CallToolResult): Content[] {
  const parts = content.map(toPart)
  const images = parts.filter(part => part.type === 'image')
  const dropped = images.slice(MAX_IMAGES)
  const kept = parts.filter(part => part.type === 'text' || !dropped.includes(part))
  if (dropped.length > 0) kept.push(text(`[${dropped.length} more pictures are left out.]`))
  const saysNothing = kept.every(part => part.type === 'text' && part.text.trim() === '')
  if (saysNothing && structuredContent !== undefined) return [text(JSON.stringify(structuredContent, null, 2))]
  return saysNothing ? [text('[The tool answered without any content.]')] : kept
}

function toPart(block: Block): Content {
  switch (block.type) {
    case 'text':
      return text(block.text)
    case 'image':
      return image(block.data, block.mimeType)
    case 'audio':
      return text(`[A sound (${block.mimeType}), which cannot be heard here.]`)
    case 'resource_link':
      return text(`[${block.title ?? block.name}: ${block.uri}]${block.description ? ` ${block.description}` : ''}`)
    case 'resource':
      return embedded(block.resource)
    default:
      return text('[Content of a kind that is not known here.]')
  }
}

function embedded(resource: Extract<Block, { type: 'resource' }>['resource']): Content {
  if ('text' in resource) return text(`[${resource.uri}]\n${resource.text}`)
  if (IMAGE.test(resource.mimeType ?? '')) return image(resource.blob, resource.mimeType ?? '')
  return text(`[${resource.uri}: data (${resource.mimeType ?? 'of unknown type'}), which is not shown.]`)
}

function image(data: string, mimeType: string): Content {
  if (!IMAGE.test(mimeType)) return text(`[A picture (${mimeType}), which models cannot see.]`)
  if (data.length > MAX_IMAGE_CHARACTERS) return text('[A picture that is too large to be looked at.]')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return text('[A picture that could not be read.]')
  return { type: 'image', image_urls: [`data:${mimeType.toLowerCase()};base64,${data}`] }
}

function text(value: string): Content {
  return { type: 'text', text: value }
}
