/**
 * A tool server on pipes, for the Python of the sandbox, by the protocol and not by any library. The environment says
 * how it behaves: MODE is one of `well`, `slow` (says nothing), `crashes` (ends at once), `hello` (ends after the
 * handshake), `noisy` (prints what is no message); TOOLS is how many more tools it has.
 */
export const MCP_STDIO_SERVER = String.raw`
import json, os, sys, time

mode = os.environ.get('MODE', 'well')
more = int(os.environ.get('TOOLS', '0'))
extra = []

def send(message):
    message['jsonrpc'] = '2.0'
    sys.stdout.write(json.dumps(message) + '\n')
    sys.stdout.flush()

def text(value, **fields):
    return {'content': [{'type': 'text', 'text': value}], **fields}

def schema(**properties):
    return {'type': 'object', 'properties': properties}

def tools():
    string = {'type': 'string'}
    found = [
        {'name': 'echo', 'description': 'Says it again', 'inputSchema': {**schema(text=string, times={'type': 'integer', 'minimum': 1}), 'required': ['text'], 'additionalProperties': False}, 'annotations': {'readOnlyHint': True}},
        {'name': 'environment', 'description': 'Shows a variable', 'inputSchema': schema(name=string)},
        {'name': 'arguments', 'description': 'Shows its arguments', 'inputSchema': schema()},
        {'name': 'summary', 'description': 'Has parameters called like the fields of every call', 'inputSchema': {**schema(summary=string, security_risk=string), 'required': ['summary']}},
        {'name': 'picture', 'description': 'A picture', 'inputSchema': schema()},
        {'name': 'resources', 'description': 'Resources', 'inputSchema': schema()},
        {'name': 'structured', 'description': 'Structured', 'inputSchema': schema(), 'outputSchema': {'type': 'object', 'properties': {'n': {'type': 'integer'}}}},
        {'name': 'huge', 'description': 'A lot', 'inputSchema': schema(bytes={'type': 'integer'})},
        {'name': 'fails', 'description': 'Fails', 'inputSchema': schema()},
        {'name': 'refuses', 'description': 'Answers with an error of the protocol', 'inputSchema': schema()},
        {'name': 'waits', 'description': 'Waits for ever', 'inputSchema': schema()},
        {'name': 'dies', 'description': 'Ends the server', 'inputSchema': schema(), 'annotations': {'readOnlyHint': os.environ.get('DIES_READS') == '1'}},
        {'name': 'grow', 'description': 'Adds a tool', 'inputSchema': schema(name=string)},
        {'name': 'bash', 'description': 'Called like one of ours', 'inputSchema': schema()},
        {'name': 'a name / with "signs" ' + 'x' * 80, 'description': 'Badly named', 'inputSchema': schema()},
    ]
    found += [{'name': 'more_%d' % n, 'description': 'More', 'inputSchema': schema()} for n in range(more)]
    return found + extra

def call(name, given):
    if name == 'echo': return text(' '.join([given['text']] * given.get('times', 1)))
    if name == 'environment': return text(str(os.environ.get(given.get('name', ''))))
    if name == 'arguments': return text(json.dumps(sys.argv[1:]))
    if name == 'summary': return text(json.dumps(given, sort_keys=True))
    if name == 'picture': return {'content': [{'type': 'image', 'data': 'iVBORw0KGgo=', 'mimeType': 'image/png'}, {'type': 'audio', 'data': 'AAAA', 'mimeType': 'audio/wav'}]}
    if name == 'resources': return {'content': [{'type': 'resource', 'resource': {'uri': 'file:///a.txt', 'text': 'inside'}}, {'type': 'resource_link', 'uri': 'file:///b.txt', 'name': 'b'}]}
    if name == 'structured': return {'content': [], 'structuredContent': {'n': 'not a number'}}
    if name == 'huge': return text('begin ' + 'x' * given.get('bytes', 1000000) + ' end')
    if name == 'fails': return text('It went wrong', isError=True)
    if name == 'dies':
        sys.stderr.write('I am going\n'); sys.stderr.flush()
        os._exit(3)
    if name == 'grow':
        extra.append({'name': given['name'], 'description': 'New', 'inputSchema': schema()})
        send({'method': 'notifications/tools/list_changed'})
        return text('grown')
    return text('called ' + name)

sys.stderr.write('token in the log: %s\n' % os.environ.get('API_TOKEN', 'none')); sys.stderr.flush()
if mode == 'crashes':
    sys.stderr.write('No licence found\n')
    sys.exit(7)
if mode == 'noisy':
    print('Starting up...')
    print('{"not": "a message"}')
    sys.stdout.flush()
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get('method'), message.get('id')
    if mode == 'slow': continue
    if id is None: continue
    if method == 'initialize':
        send({'id': id, 'result': {'protocolVersion': message['params']['protocolVersion'], 'capabilities': {'tools': {'listChanged': True}}, 'serverInfo': {'name': 'stdio', 'version': '1'}}})
        if mode == 'hello': os._exit(9)
    elif method == 'tools/list':
        if mode == 'bad list': send({'id': id, 'result': {'tools': 'none'}})
        else: send({'id': id, 'result': {'tools': tools()}})
    elif method == 'tools/call':
        name, given = message['params']['name'], message['params'].get('arguments', {})
        if name == 'waits': continue
        if name == 'refuses': send({'id': id, 'error': {'code': -32000, 'message': 'Out of paper'}})
        else: send({'id': id, 'result': call(name, given)})
    else: send({'id': id, 'error': {'code': -32601, 'message': 'Method not found'}})
`
