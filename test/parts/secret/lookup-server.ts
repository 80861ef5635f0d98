import { createServer } from 'node:http'

/** Where secrets are looked up: it has one, and answers with the status that a test sets. */
export async function startSecretServer() {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    secrets.asked.push(request.headers['x-access-token']?.toString())
    response.writeHead(secrets.status).end('value-from-afar')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const secrets = { url, asked, status: 200, close: () => server.close() }
  return secrets
}
