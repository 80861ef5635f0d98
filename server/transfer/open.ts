import { join } from 'node:path'
import { DataExports } from './export/exports.ts'
import { AddedConversations } from './import/conversations.ts'
import { DataImports } from './import/imports.ts'
import { InstructionsImport } from './instructions.ts'

type ExportOptions = ConstructorParameters<typeof DataExports>[0]
type ImportOptions = ConstructorParameters<typeof DataImports>[0]

/** Everything in one file: how it is written, and how it is read on another computer. */
export function openTransfer({
  dataDir,
  exporting,
  importing,
}: {
  dataDir: string
  exporting: Omit<ExportOptions, 'folder'>
  importing: Omit<ImportOptions, 'folder' | 'conversations'> &
    ConstructorParameters<typeof AddedConversations>[0] & { userHome: string }
}) {
  const exports = new DataExports({ ...exporting, folder: join(dataDir, 'atelier-exports') })
  const imports = new DataImports({
    ...importing,
    folder: join(dataDir, 'atelier-imports'),
    conversations: new AddedConversations(importing),
  })
  return {
    dataExports: exports,
    dataImports: imports,
    userInstructions: new InstructionsImport(importing.userHome),
    close: async () => {
      await exports.close()
      await imports.close()
    },
  }
}
