import { expect, test } from 'vitest'
import { speak } from '../../electron/text.ts'
import { contextItems } from '../../electron/window/context-items.ts'

const FLAGS = {
  canUndo: true,
  canRedo: false,
  canCut: true,
  canCopy: true,
  canPaste: true,
  canDelete: true,
  canSelectAll: true,
  canEditRichly: false,
}
const NOTHING = { isEditable: false, selectionText: '', linkURL: '', editFlags: FLAGS }
const labels = (place: Partial<typeof NOTHING>) =>
  contextItems({ ...NOTHING, ...place }, () => {}).flatMap(({ label, enabled }) =>
    label === undefined ? [] : [enabled === false ? `(${label})` : label],
  )

test('a text field has everything that is done with text, and what cannot be done now is greyed', () => {
  expect(labels({ isEditable: true })).toEqual(['Undo', '(Redo)', 'Cut', 'Copy', 'Paste', 'Select All'])
})

test('its words are those of the language of the moment', () => {
  speak('de')
  try {
    expect(labels({ isEditable: true }).at(-1)).toBe('Alles auswählen')
  } finally {
    speak('en')
  }
})

test('selected text is copied, and so is the address of a link to the web; elsewhere there is no menu', () => {
  expect(labels({ selectionText: 'words' })).toEqual(['Copy'])
  expect(labels({ selectionText: 'words', linkURL: 'https://example.com/a' })).toEqual(['Copy', 'Copy Link Address'])
  expect(labels({ selectionText: ' \n' })).toEqual([])
  for (const linkURL of [
    'app://atelier/#/sandboxes',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://me:key@example.com',
  ])
    expect(labels({ linkURL }), linkURL).toEqual([])
})

test('the address is copied as it is', () => {
  const copied: string[] = []
  const [item] = contextItems({ ...NOTHING, linkURL: 'https://example.com/?a=b' }, text => copied.push(text))
  const click = item?.click as (() => void) | undefined
  click?.()
  expect(copied).toEqual(['https://example.com/?a=b'])
})
