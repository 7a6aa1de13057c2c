import type { TestContext } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { VoiceState } from '@foyer/protocol/voice'
import type { PictureRefusal } from '@foyer/sdk/voice/status'
import type { VoiceTimings } from '@foyer/sdk/voice/voice-timings'
import type { FixtureConnection } from './gateway-fixture.ts'
import { asked, grant, stateIn, VIDEO, VoiceFixture } from './voice-fixture.ts'

export const QUICK = { selfIntervalMs: 1, watchIntervalMs: 1 }

/** Returns a client that has joined a room of a server with video. */
export async function enter(t: TestContext, changes: Partial<VoiceTimings> = QUICK) {
  const client = await VoiceFixture.start(t, changes)
  const connection = await client.connect()
  const joined = client.voice.join({ room_id: 'hall' })
  connection.dispatch('VOICE_STATE_UPDATE', stateIn('hall'))
  await letIn(client, connection, 'first')
  await joined
  const refusals: PictureRefusal[] = []
  client.voice.onPictureRefused((refusal) => refusals.push(refusal))
  return { client, connection, refusals, voice: client.voice }
}

export async function letIn(client: VoiceFixture, connection: FixtureConnection, sessionId: string) {
  grant(connection, sessionId, (await asked(connection)).nonce, VIDEO)
  await client.comeUp(connection)
}

/** Makes the server announce flags of the user, such as `self_video`, and waits until the client has received the event. */
export async function announce(
  { client, connection }: { client: VoiceFixture; connection: FixtureConnection },
  flags: Partial<VoiceState>,
  sessionId = 'first',
) {
  const isTold = new Promise<void>((resolve) => {
    const stop = client.gateway.on('VOICE_STATE_UPDATE', () => {
      stop()
      resolve()
    })
  })
  connection.dispatch('VOICE_STATE_UPDATE', { ...stateIn('hall', sessionId), ...flags })
  await isTold
}

/** Waits for six turns of the event loop, because a change of a sender takes one turn, and a test may cause several changes. */
export async function senderChanges(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Returns the data of the next signal that the client sends. */
export async function watched(connection: FixtureConnection) {
  return Object((await connection.receive(Opcode.VoiceSignal)).d)
}
