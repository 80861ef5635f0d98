import { z } from 'zod'
import { dateTime, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'

const tag = 'System'

export const browserLogin = z
  .object({
    id: z.string().describe('Names the login; it is not its key.'),
    browser: z
      .string()
      .nullable()
      .describe(
        'What the browser called itself when it logged in, such as `Firefox on Linux`; null for an unknown one.',
      ),
    created_at: dateTime.describe('When it logged in.'),
    last_used_at: dateTime.describe('When it was used last. A login that was not used for 30 days ends.'),
    is_current: z.boolean().describe("Whether the caller shows this login's key."),
  })
  .describe('A browser that is logged in.')
export type BrowserLogin = z.output<typeof browserLogin>

export const listLogins = route({
  method: 'get',
  path: '/api/v1/logins',
  summary: 'Browsers that are logged in, the one used last first',
  description:
    'Lists the browsers that are logged in with a one-time link, the one used last first. All logins end with the service; the windows of the app are not among them.',
  tag,
  reply: z.object({ items: z.array(browserLogin).describe('The logins, the one used last first.') }),
})

export const endLogin = route({
  method: 'delete',
  path: '/api/v1/logins/{login_id}',
  summary: 'End the login of a browser',
  description: 'Ends the login of a browser: its key is refused at once, and its sockets are closed.',
  tag,
  params: z.object({ login_id: z.string().describe('Id of the login, as the list has it.') }),
  failures: ['not_found'],
  reply: success,
})

export const endLogins = route({
  method: 'delete',
  path: '/api/v1/logins',
  summary: 'End the logins of all other browsers',
  description:
    'Ends the logins of all browsers but the one that asks: their keys are refused at once, and their sockets are closed. The windows of the app go on.',
  tag,
  reply: success,
})
