import type { Express } from 'express'
import { diagnoseModel, runCheck } from '../../api/v1/system/diagnosis.ts'
import { getLog } from '../../api/v1/system/log.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

export function mountDiagnosis(app: Express, { doctor, logFile }: Pick<Services, 'doctor' | 'logFile'>): void {
  mount(app, runCheck, ({ params, query, signal }) => doctor.run(params.check, { engineId: query.engine_id, signal }))
  mount(app, diagnoseModel, ({ signal }) => doctor.askModel(signal))
  mount(app, getLog, ({ query }) => logFile.read(query))
}
