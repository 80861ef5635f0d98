import { Outbound } from '../../server/outbound/outbound.ts'

/** As the service has it where the person has allowed nothing. */
export const outbound = new Outbound({ allowedHosts: () => [] })
