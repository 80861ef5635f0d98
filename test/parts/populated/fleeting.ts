/** What ends with the test that it was made for, or is no thing but a word. */
export const FLEETING = new Set([
  'running',
  'starting',
  'crowded',
  'clientCall',
  'clientAction',
  'unacceptedClientCall',
  'token',
  'noToken',
  'revokedToken',
  'lostToken',
  'free',
  'freeName',
  'signIn',
  'answer',
])
