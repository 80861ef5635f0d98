import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'

/** Serves a folder of the sandbox, and answers what pages need to be tried out: slow, broken and downloaded things. */
const SERVER = `
import http.server, os, sys, time, urllib.parse
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('Content-Length', 0))).decode()
        fields = urllib.parse.parse_qs(body)
        self.reply('<title>Sent</title><h1>Thank you</h1><p id=sent>' + ', '.join(f'{k}={v[0]}' for k, v in fields.items()) + '</p>')
    def do_GET(self):
        if self.path == '/download':
            return self.reply('a,b\\n1,2\\n', 'text/csv', {'Content-Disposition': 'attachment; filename="numbers.csv"'})
        if self.path == '/never':
            time.sleep(600)
        if self.path == '/cookie':
            return self.reply('<title>Cookie</title><p>cookies: ' + (self.headers.get('Cookie') or 'none'), headers={'Set-Cookie': 'visited=yes'})
        super().do_GET()
    def reply(self, text, kind='text/html', headers={}):
        self.send_response(200)
        self.send_header('Content-Type', kind + '; charset=utf-8')
        for name, value in headers.items(): self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())
    def log_message(self, *_): pass
os.chdir(sys.argv[1])
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
`

export interface WebPages {
  url: string
  close(): Promise<void>
}

/** A real server inside the sandbox, on a port of its own. */
export async function servePages(sandbox: SandboxHandle, files: Record<string, string>): Promise<WebPages> {
  const folder = '/workspace/pages'
  await sandbox.writeFiles(
    folder,
    Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })),
  )
  const process = await sandbox.openPiped({ argv: ['python3', '-c', SERVER, folder] })
  process.stderr.resume()
  const port = await new Promise<string>(resolve =>
    process.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).trim())),
  )
  return { url: `http://localhost:${port}`, close: () => process.close() }
}
