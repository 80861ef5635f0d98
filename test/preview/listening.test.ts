import { expect, test } from 'vitest'
import { listenersIn, programsIn } from '../../server/preview/listening.ts'

const TABLES = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1435 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0
   1: 00000000:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000000000000000 100 0 0 10 0
   2: 0B00007F:8E4F 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0000000000000000 100 0 0 10 0
   3: 0100007F:1435 0100007F:C0DE 01 00000000:00000000 00:00000000 00000000     0        0 4714 1 0000000000000000 100 0 0 10 0
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4715 1 0000000000000000 100 0 0 10 0
   1: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4716 1 0000000000000000 100 0 0 10 0
`

test('what listens is read from the tables of the kernel, each port once, the lowest first', () => {
  expect(listenersIn(TABLES)).toEqual([
    { port: 80, inode: '4716' },
    { port: 3000, inode: '4712' },
    { port: 5173, inode: '4711' },
  ])
})

test('tables that are none hold nothing', () => {
  for (const text of ['', 'cat: /proc/net/tcp: No such file or directory', 'a b c 0A e f g h i j', '\0\0\n: : : 0A']) {
    expect(listenersIn(text)).toEqual([])
  }
})

test('sockets are named by the programs that hold them', () => {
  const text = `process 12
socket 4711
process 13
socket 4711
socket 4712
process 14
socket 4715
/proc/12/comm:node
/proc/13/comm:my server:2
`
  expect([...programsIn(text)]).toEqual([
    ['4711', 'node'],
    ['4712', 'my server:2'],
  ])
})
