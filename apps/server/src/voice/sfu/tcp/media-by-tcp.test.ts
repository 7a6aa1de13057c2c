import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '#test/until.ts'
import { SfuProcess } from '#test/voice/sfu-process.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'

let sfu: SfuProcess
before(async () => {
  sfu = await SfuProcess.start({ tcpPort: 0 })
})
after(() => sfu.stop())

/** Joins with the candidates of one protocol only, as in a network that forbids the other. */
async function enter(name: string, tone: number, blocked: 'udp' | 'tcp'): Promise<VoicePeer> {
  await sfu.join(name, 'a room')
  return new VoicePeer({ tone }).join(async (offer) => {
    const rows = (await sfu.signal(name, offer)).split('\r\n')
    return rows.filter((row) => !row.startsWith('a=candidate:') || row.split(' ')[2] !== blocked).join('\r\n')
  })
}

async function protocolOf(peer: VoicePeer): Promise<unknown> {
  const reports = [...(await peer.connection.getStats()).values()]
  const pair = reports.find(({ type, nominated }) => type === 'candidate-pair' && nominated === true)
  return reports.find(({ id }) => id === pair?.localCandidateId)?.protocol
}

test('VTCP-1: people without UDP hear each other and those with UDP', async () => {
  using anna = await enter('anna', 300, 'udp')
  using ben = await enter('ben', 700, 'udp')
  using carl = await enter('carl', 1100, 'tcp')
  await Promise.all([anna.hears(700, 1100), ben.hears(300, 1100), carl.hears(300, 700)])
  assert.deepEqual(await Promise.all([anna, ben, carl].map(protocolOf)), ['tcp', 'tcp', 'udp'])
  assert.ok((await sfu.ask('stats', {})).tcpConnections >= 2)
  await sfu.ask('kick', { sessionId: 'anna' })
  await sfu.ask('kick', { sessionId: 'ben' })
  await until(async () => (await sfu.ask('stats', {})).tcpConnections === 0, 'their connections are closed')
})
