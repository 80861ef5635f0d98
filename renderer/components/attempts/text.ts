import { translator } from '../../language/translator.ts'

export const t = translator('conversationAttempts')
