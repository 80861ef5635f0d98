export const conversationPreview = {
  ports: 'Ports of the sandbox',
  nothingListens: 'Nothing listens in the sandbox',
  nothingListensHint:
    'When a program there begins to listen at a port, as a development server does, it is shown here at once.',
  sandboxDoesNotRun: 'The sandbox does not run',
  sandboxDoesNotRunHint: 'Its ports are shown while it runs.',
  port: 'Port {port}',
  open: 'Open',
  openPort: 'Open port {port} in the browser',
  copyAddress: 'Copy the address of port {port}',
  addressHint: 'The addresses work on this computer, for everybody who has them, until you make a new API key.',
  lookingForPorts: 'Looking for ports',
}
