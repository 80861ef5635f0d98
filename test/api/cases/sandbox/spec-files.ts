import type { CaseTable } from '../../../parts/operation/case.ts'
import { description, imageEntries, smallImage, specFile } from '../../../sandbox/spec-file/parts.ts'

const unknownSpec = { params: { spec_id: 'unknown' } }
const builtSpec = { params: { spec_id: '$builtSpec' } }

/** Its bytes are all ASCII, and so stay what they are as text. */
const FILE = await specFile([['spec.json', description({ kind: 'included' })], ...imageEntries(await smallImage())])

export const SPEC_FILE_CASES: CaseTable = {
  getSpecExport: {
    success: { ...builtSpec, reply: { file_name: 'Built.atelier-spec.tar', image: 'built', image_bytes: null } },
    failures: { not_found: unknownSpec },
  },
  downloadSpec: { success: builtSpec, failures: { not_found: unknownSpec } },
  importSpec: {
    success: {
      files: { 'Shared.atelier-spec.tar': FILE.toString('latin1') },
      reply: { image: 'included', spec: { network: 'none', mounts: [], imported_from: 'Shared.atelier-spec.tar' } },
    },
    failures: { bad_request: { files: { 'notes.txt': 'no tar' } }, conflict: { service: 'full' } },
  },
}
