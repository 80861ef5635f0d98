import { z } from 'zod'

/**
 * The grammar of image names, after https://github.com/distribution/reference: [host[:port]/]path[:tag][@digest]. A
 * path has no empty, `.` or `..` parts, so that no name leads elsewhere in the path of a request to the engine.
 */
const HOST_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
const HOST = String.raw`(?:${HOST_PART}(?:\.${HOST_PART})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`
const PATH_PART = '[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*'
const TAG = String.raw`[\w][\w.-]{0,127}`
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
const NAME = String.raw`(?:${HOST}\/)?${PATH_PART}(?:\/${PATH_PART})*(?::${TAG})?(?:@${DIGEST})?`

const REFERENCE = new RegExp(`^${NAME}$`)
const MAX_CHARACTERS = 500

const HINT = 'Name an image as docker pull does, like debian:13 or ghcr.io/owner/image:1.'

/** An image as `docker pull` names it. */
export const imageReference = z.string().trim().max(MAX_CHARACTERS).regex(REFERENCE, HINT)

/** The same in a setting, where an empty text is "not set" as null is. */
export const imageSetting = z
  .string()
  .trim()
  .max(MAX_CHARACTERS)
  .regex(new RegExp(`^(?:${NAME})?$`), HINT)
  .nullable()

export function isImageReference(text: string): boolean {
  return text.length <= MAX_CHARACTERS && REFERENCE.test(text)
}

/** One that Atelier has made of a person's sandboxes and specs. No repository may begin with what lies in it. */
export function isPersonalImage(reference: string): boolean {
  return /^(?:localhost\/|docker\.io\/(?:library\/)?)?atelier-(?:build|saved|copy|dev-container|service)[:@]/.test(
    reference,
  )
}
