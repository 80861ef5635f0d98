interface Made {
  /** What each page says. */
  texts: readonly string[]
  /** Further entries of the catalog, of each page, and of the trailer, as PDF writes them. */
  catalog?: string
  page?: string
  trailer?: string
  /** What a page draws beside its text, and further objects, which count from 100. */
  drawn?: string
  objects?: readonly string[]
}

/** A PDF by the letter of the specification, with a font that it does not carry. */
export function pdfOf({ texts, catalog = '', page = '', trailer = '', drawn = '', objects = [] }: Made): string {
  const numbers = texts.map((_, index) => 10 + index * 2)
  const all = new Map<number, string>([
    [1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`],
    [2, `<</Type/Pages/Count ${texts.length}/Kids[${numbers.map(number => `${number} 0 R`).join(' ')}]>>`],
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
  ])
  texts.forEach((text, index) => {
    const number = numbers[index] ?? 0
    const resources = `/Resources<</Font<</F 3 0 R>>/XObject<</X 100 0 R>>>>`
    all.set(number, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources}/Contents ${number + 1} 0 R${page}>>`)
    all.set(number + 1, stream('', `BT /F 36 Tf 72 720 Td (${text}) Tj ET ${drawn}`))
  })
  objects.forEach((object, index) => void all.set(100 + index, object))
  let file = '%PDF-1.7\n'
  const places = new Map<number, number>()
  for (const [number, object] of all) {
    places.set(number, file.length)
    file += `${number} 0 obj${object}endobj\n`
  }
  const rows = [...places].map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`)
  const end = `trailer<</Root 1 0 R/Size 1000${trailer}>>\nstartxref\n${file.length}\n%%EOF\n`
  return `${file}xref\n0 1\n0000000000 65535 f \n${rows.join('')}${end}`
}

/** An object with content. @param entries further ones of its dictionary */
export function stream(entries: string, content: string): string {
  return `<</Length ${content.length}${entries}>>stream\n${content}\nendstream\n`
}
