import { afterEach } from 'vitest'
import { openServices } from './service/open-services.ts'

/** No run of one test asks the model for the turns of the next one's script. */
afterEach(() => Promise.all([...openServices].map(service => service.endRuns())))
