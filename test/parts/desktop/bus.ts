import { Message, type MessageBus, MessageType, sessionBus } from '@jellybrick/dbus-next'

/** A program on a bus that answers calls by `interface.member`. */
export interface BusProgram {
  bus: MessageBus
  call(destination: string, path: string, member: string, signature?: string, body?: unknown[]): Promise<unknown[]>
  close(): void
}

type Answer = (call: Message) => [signature: string, body: unknown[]] | Promise<[signature: string, body: unknown[]]>

/** @param address of the bus @param name that it owns there */
export async function joinBus(address: string, name: string, answers: Record<string, Answer>): Promise<BusProgram> {
  const bus = sessionBus({ busAddress: address })
  bus.addMethodHandler(call => {
    const answer = answers[`${call.interface}.${call.member}`]
    if (!answer) return false
    void Promise.resolve(answer(call)).then(([signature, body]) =>
      bus.send(Message.newMethodReturn(call, signature, body)),
    )
    return true
  })
  await bus.requestName(name)
  return {
    bus,
    call: async (destination, path, member, signature = '', body = []) => {
      const at = member.lastIndexOf('.')
      const call = { destination, path, interface: member.slice(0, at), member: member.slice(at + 1), signature, body }
      const reply = await bus.call(new Message({ type: MessageType.METHOD_CALL, ...call }))
      return reply?.body ?? []
    },
    close: () => bus.disconnect(),
  }
}

/** Has the bus send it what others say to everybody. */
export async function listen({ bus }: BusProgram, rule: string, heard: (signal: Message) => void): Promise<void> {
  bus.on('message', message => {
    if (message.type === MessageType.SIGNAL) heard(message)
  })
  const path = '/org/freedesktop/DBus'
  const name = 'org.freedesktop.DBus'
  await bus.call(
    new Message({ destination: name, path, interface: name, member: 'AddMatch', signature: 's', body: [rule] }),
  )
}
