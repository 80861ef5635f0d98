import { z } from 'zod'

/** Of every operation on one conversation, at the app's port. */
export const conversationParams = z.object({
  conversation_id: z.string().describe('Id of the conversation; the hyphens of a UUID may be left out.'),
})

/** Dashed or 32 hex digits. */
export const uuid = z.stringFormat('uuid', /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i)

/** What people may call a conversation, through either generation. */
export const conversationTitle = z.string().trim().min(1).max(200)
