import { createTranslator } from 'use-intl/core'
import { desktop } from './language/en.ts'

export const t = createTranslator({ locale: 'en', messages: desktop })
