import { z } from 'zod'
import { quotedLine, reviewComment } from '../../../../../server/api/event/review-comments.ts'
import { usePreference } from '../../../../state/settings/preference.ts'

const comments = z.array(reviewComment.extend({ quoted: z.string().transform(quotedLine), text: z.string() }))

/** The comments that are not sent yet; they outlive the window. */
export function useStoredComments(id: string) {
  return useStored(`review.comments.${id}`, comments)
}

/** Which files were viewed, by path and counts: one that changes is not viewed any more. */
export function useStoredViewed(id: string) {
  return useStored(`review.viewed.${id}`, z.array(z.string()))
}

function useStored<T>(name: string, schema: z.ZodType<T[]>) {
  const [text, setText] = usePreference(name, '[]')
  const parsed = schema.safeParse(readJson(text))
  return [parsed.data ?? [], (values: readonly T[]) => setText(JSON.stringify(values))] as const
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
