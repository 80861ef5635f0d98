import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNameBytes, shownFileName } from '../../server/text/file-names.ts'

test('a name is shown as it is, and a byte that is no UTF-8 by its number', () => {
  const shown = (...bytes: number[]) => shownFileName(Buffer.from(bytes).toString('latin1'))
  expect(shownFileName(Buffer.from('ä b\\n\ufffd😀').toString('latin1'))).toBe('ä b\\n\ufffd😀')
  expect(shown(0x63, 0xe9)).toBe('c\\xE9')
  // The beginning of a character, one that is written too long, and half of a pair.
  expect(shown(0xf0, 0x9f, 0x98)).toBe('\\xF0\\x9F\\x98')
  expect(shown(0xc0, 0xaf)).toBe('\\xC0\\xAF')
  expect(shown(0xed, 0xa0, 0x80)).toBe('\\xED\\xA0\\x80')
  expect(shownFileName('\\xE9 \\x41 \\x5C')).toBe('\\x5CxE9 \\x41 \\x5Cx5C')
})

test('no two names are shown alike, and each is found by what is shown', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\\', 'x', '5C', 'E9', '\\xE9', '\\x5C'))
  const name = fc.oneof(
    fc.uint8Array().map(bytes => Buffer.from(bytes)),
    fc
      .array(
        fc.oneof(
          piece.map(text => Buffer.from(text)),
          fc.uint8Array({ maxLength: 2 }),
        ),
      )
      .map(Buffer.concat),
  )
  fc.assert(
    fc.property(name, bytes => {
      const shown = shownFileName(Buffer.from(bytes).toString('latin1'))
      expect(fileNameBytes(shown).toString('hex')).toBe(Buffer.from(bytes).toString('hex'))
      expect(Buffer.from(shown).toString()).toBe(shown)
    }),
  )
})
