import type { IncomingMessage } from 'node:http'
import { type ParsedUrlQuery, parse } from 'node:querystring'
import { isForm } from '../mount/form.ts'

/** A list is written `ids=a&ids=b`, and by some clients `ids[]=a&ids[]=b`. */
export function parseQuery(text: string | null): ParsedUrlQuery {
  return parse((text ?? '').replaceAll(/(^|&)([^=&]+?)(?:\[\]|%5B%5D)(?==|&|$)/gi, '$1$2'))
}

/** Whatever has content and is no form, since clients forget its type; a body without content is none, not `{}`. */
export function mayBeJson(request: IncomingMessage): boolean {
  return request.headers['content-length'] !== '0' && !isForm(request)
}
