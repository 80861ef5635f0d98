import { t } from '../files/text.ts'

/** What the editor says, by its own words. */
export const EDITOR_WORDS = {
  Find: t('findInText'),
  Replace: t('replacement'),
  next: t('nextMatch'),
  previous: t('previousMatch'),
  all: t('allMatches'),
  'match case': t('matchCase'),
  regexp: t('regularExpression'),
  'by word': t('wholeWord'),
  replace: t('replaceOne'),
  'replace all': t('replaceEach'),
  close: t('closeFind'),
  'current match': t('currentMatch'),
  'on line': t('onLine'),
  'replaced match on line $': t('replacedOnLine'),
  'replaced $ matches': t('replacedMatches'),
  'Go to line': t('goToLine'),
  go: t('go'),
  'Selection deleted': t('selectionDeleted'),
  'Control character': t('controlCharacter'),
}
