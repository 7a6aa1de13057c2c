import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface TestDns {
  /** Address for `Resolver.setServers`. */
  address: string
  /** Queried names, one entry per IPv4 query. */
  asked: string[]
  close(): void
}

const IPV4 = 1
const FLAGS_ANSWER = 0x8180
const FLAGS_NO_SUCH_NAME = 0x8183
const HEADER_BYTES = 12

/** Starts a name server on loopback. Its answers have a TTL of zero, so that every lookup reaches it. */
export async function startDns(addressesOf: (name: string) => readonly string[]): Promise<TestDns> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = questionIn(question)
    if (type === IPV4) asked.push(name)
    const addresses = type === IPV4 ? addressesOf(name) : []
    socket.send(answerTo(question.subarray(0, end), addresses), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }
}

function questionIn(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(addresses.length === 0 ? FLAGS_NO_SUCH_NAME : FLAGS_ANSWER, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.fill(0, 8)
  // Pointer to the name in the question, type A, class IN, TTL 0, length 4.
  const records = addresses.map((address) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records])
}
