import assert from 'node:assert/strict'
import { Opcode } from '@foyer/protocol/gateway'
import type { VoiceSignal } from '@foyer/protocol/voice'
import type { GatewayClient } from '../gateway-client.ts'
import { until } from '../until.ts'
import { VoicePeer } from './voice-peer.ts'

type SignalOf<Kind extends VoiceSignal['kind']> = Extract<VoiceSignal, { kind: Kind }>

/** Where a talker is to be, as op 4 names it. */
export type TalkPlace = { room_id: string } | { conversation_id: string }

/** Somebody in voice, by a gateway connection and a peer of WebRTC. */
export interface Talker {
  readonly client: GatewayClient
  readonly peer: VoicePeer
  readonly sessionId: string
  /** Resolves when the session has ended, with the reason that its client is told. */
  end(): Promise<string>
  close(): void
}

/** Joins, with media that flows. @param tone what they say all the time, in Hz */
export async function talk(client: GatewayClient, place: TalkPlace, tone: number): Promise<Talker> {
  const { sessionId } = await askToJoin(client, place)
  const peer = await new VoicePeer({ tone }).join((offer) => exchange(client, sessionId, offer))
  return {
    client,
    peer,
    sessionId,
    end: async () => (await findSignal(client, 'end', (signal) => signal.session_id === sessionId)).reason,
    close: () => peer.close(),
  }
}

/** Many packets long, at 50 a second. */
const STILL_POLLS = 6

/** Until nothing is forwarded to them any more: a moment without sound may be a gap. */
export async function hearsNothing({ peer }: Talker): Promise<void> {
  let [last, still] = [-1, 0]
  await until(async () => {
    const received = (await peer.packets()).reduce((sum, count) => sum + count, 0)
    still = received === last ? still + 1 : 0
    last = received
    return still >= STILL_POLLS
  }, 'nothing is forwarded any more')
}

let nonces = 0

/** op 4, and the grant that answers it. */
export async function askToJoin(client: GatewayClient, place: TalkPlace): Promise<{ sessionId: string }> {
  nonces += 1
  const nonce = `join ${nonces}`
  client.send(Opcode.VoiceStateUpdate, { ...place, nonce })
  const refusal = (frame: { op: number; d: unknown }) =>
    frame.op === Opcode.Error && Object(frame.d).nonce === nonce
  const grant = (frame: { op: number; d: unknown }) =>
    frame.op === Opcode.VoiceSignal && Object(frame.d).nonce === nonce
  const answer = await client.find((frame) => refusal(frame) || grant(frame), 'the answer to op 4')
  assert.ok(grant(answer), `op 4 was refused: ${answer.text}`)
  return { sessionId: Object(answer.d).session_id }
}

/** op 5: the offer of the session, and what answers it last. */
export async function exchange(client: GatewayClient, sessionId: string, offer: string): Promise<string> {
  const before = client.frames.length
  client.send(Opcode.VoiceSignal, { kind: 'offer', session_id: sessionId, sdp: offer })
  const isNew = (signal: SignalOf<'answer'>, index: number) =>
    signal.session_id === sessionId && index >= before
  return (await findSignal(client, 'answer', isNew)).sdp
}

/** The first signal of its kind that fits, of those that came or are to come. */
export async function findSignal<Kind extends VoiceSignal['kind']>(
  client: GatewayClient,
  kind: Kind,
  fits: (signal: SignalOf<Kind>, index: number) => boolean = () => true,
): Promise<SignalOf<Kind>> {
  const isOne = (d: unknown, index: number): d is SignalOf<Kind> =>
    Object(d).kind === kind && fits(Object(d), index)
  const { d } = await client.find(
    (frame) => frame.op === Opcode.VoiceSignal && isOne(frame.d, client.frames.indexOf(frame)),
    `a signal: ${kind}`,
  )
  return Object(d)
}
