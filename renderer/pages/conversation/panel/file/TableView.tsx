import { useMemo } from 'react'
import { TableVirtuoso } from 'react-virtuoso'
import { parseTable } from '../../../../state/files/csv.ts'
import { t } from '../files/text.ts'

/** The first row names the columns. Only the rows near the window are in the page. */
export function TableView({ text, separator }: { text: string; separator: ',' | '\t' | ';' }) {
  const { rows, columns, complete } = useMemo(() => parseTable(text, separator), [text, separator])
  const [head = [], ...body] = rows
  const places = Array.from({ length: columns }, (_, column) => column)
  return (
    <>
      <TableVirtuoso
        className="min-h-0 flex-1"
        data={body}
        fixedHeaderContent={() => (
          <tr className="bg-sunken text-start">
            <th className="px-2 py-1 text-faint">{t('row')}</th>
            {places.map(column => (
              <th key={column} className="whitespace-pre border-line border-s px-2 py-1 font-medium">
                {head[column] ?? ''}
              </th>
            ))}
          </tr>
        )}
        itemContent={(index, row) => (
          <>
            <td className="border-line border-b px-2 text-faint tabular">{index + 1}</td>
            {places.map(column => (
              <td key={column} className="max-w-100 truncate whitespace-pre border-line border-b border-s px-2">
                {row[column] ?? ''}
              </td>
            ))}
          </>
        )}
      />
      {!complete && <p className="border-line border-t px-4 py-2 text-soft">{t('tableCut')}</p>}
    </>
  )
}
