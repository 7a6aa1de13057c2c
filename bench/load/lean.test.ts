import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type Participant, runLean, withoutLean } from './lean.ts'

/** How often the server delivers the delivery with this number, not counting those to the sender. All others arrive once. */
let times = { delivery: -1, count: 1 }
let delivered = 0
const listening = new Map<Socket, string>()
const server = createServer((socket) => {
  let rest = ''
  socket.on('error', () => undefined)
  socket.on('close', () => listening.delete(socket))
  socket.on('data', (bytes) => {
    rest = serve(socket, rest + bytes.toString())
  })
  socket.write('INFO {}\r\n')
})

before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())

const people: Participant[] = [0, 0, 0, 1, 1].map((room, index) => ({
  protocol: 'nats',
  role: index % 3 === 0 ? 'both' : 'listen',
  room,
  arguments: [`room.${room}`],
}))

test('listeners that receive all messages yield figures', { skip: withoutLean }, async () => {
  times = { delivery: -1, count: 1 }
  const { messages, deliveries, ack_p50_ms, ack_p99_ms, last_p50_ms } = await run(0)
  assert.ok(messages > 0)
  assert.ok(deliveries >= messages)
  assert.ok(0 < ack_p50_ms && ack_p50_ms <= ack_p99_ms)
  assert.ok(last_p50_ms > 0)
})

test('messages sent at their own pace are counted, too', { skip: withoutLean }, async () => {
  times = { delivery: -1, count: 1 }
  const { messages } = await run(10)
  assert.ok(messages > 0)
})

test('a message that one listener never receives makes the run fail', { skip: withoutLean }, async () => {
  times = { delivery: 2, count: 0 }
  await assert.rejects(
    run(0),
    /1 acknowledgements or deliveries are missing; \d+ deliveries were duplicated or reordered/,
  )
})

test('a message that one listener receives twice makes the run fail', { skip: withoutLean }, async () => {
  times = { delivery: 2, count: 2 }
  await assert.rejects(run(0), /1 deliveries were duplicated or reordered/)
})

test('a message that arrives in another room makes the run fail', { skip: withoutLean }, async () => {
  const [first, ...others] = people
  assert.ok(first)
  const intruder = { ...first, room: 1 }
  times = { delivery: -1, count: 1 }
  await assert.rejects(run(0, [intruder, ...others]), /received a message of another room/)
})

function run(pauseMs: number, participants = people) {
  delivered = 0
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return runLean(
    {
      port: address.port,
      participants,
      warmup: 0,
      seconds: 0.2,
      pauseMs: pauseMs || undefined,
      maxLateSeconds: 0.5,
    },
    () => undefined,
  )
}

/** Implements as much of NATS as the load uses. Returns the incomplete rest of the text. */
function serve(socket: Socket, text: string): string {
  const end = text.indexOf('\r\n')
  if (end === -1) return text
  const [command, subject = '', size] = text.slice(0, end).split(/ +/)
  if (command === 'PUB') {
    const whole = end + 2 + Number(size) + 2
    if (text.length < whole) return text
    publish(socket, subject, text.slice(end + 2, whole - 2))
    return serve(socket, text.slice(whole))
  }
  if (command === 'SUB') listening.set(socket, subject)
  if (command === 'PING') socket.write('PONG\r\n')
  return serve(socket, text.slice(end + 2))
}

function publish(sender: Socket, subject: string, payload: string): void {
  for (const [socket, subscribed] of listening) {
    const isOther = subscribed === subject && socket !== sender
    const count = isOther && delivered++ === times.delivery ? times.count : 1
    if (subscribed === subject)
      socket.write(`MSG ${subject} 1 ${payload.length}\r\n${payload}\r\n`.repeat(count))
  }
}
