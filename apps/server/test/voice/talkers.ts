import assert from 'node:assert/strict'
import { Opcode } from '@foyer/protocol/gateway'
import type { VoiceSignal } from '@foyer/protocol/voice'
import type { GatewayClient } from '../gateway-client.ts'
import { until } from '../until.ts'
import { VoicePeer } from './voice-peer.ts'

type SignalOf<Kind extends VoiceSignal['kind']> = Extract<VoiceSignal, { kind: Kind }>

/** Room or conversation to join, as op 4 names it. */
export type TalkPlace = { room_id: string } | { conversation_id: string }

/** A user in voice, with a gateway connection and a WebRTC peer. */
export interface Talker {
  readonly client: GatewayClient
  readonly peer: VoicePeer
  readonly sessionId: string
  /** Resolves when the client is notified of the end of its session, with the reason. */
  end(): Promise<string>
  close(): void
}

/**
 * Joins, and waits until media flows.
 * @param tone tone to send all the time, in Hz
 */
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

/** Number of polls without a new packet that prove silence. A talker sends 50 packets per second. */
const STILL_POLLS = 6

/** Waits until no packets are forwarded to the talker. A single poll without a packet could be a gap. */
export async function receivesNothing({ peer }: Talker): Promise<void> {
  let [last, still] = [-1, 0]
  await until(async () => {
    const received = (await peer.packets()).reduce((sum, count) => sum + count, 0)
    still = received === last ? still + 1 : 0
    last = received
    return still >= STILL_POLLS
  }, 'nothing is forwarded any more')
}

let nonces = 0

/** Sends op 4 and waits for the grant. */
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

/** Sends the offer of a session by op 5, and returns the answer. */
export async function exchange(client: GatewayClient, sessionId: string, offer: string): Promise<string> {
  const before = client.frames.length
  client.send(Opcode.VoiceSignal, { kind: 'offer', session_id: sessionId, sdp: offer })
  const isNew = (signal: SignalOf<'answer'>, index: number) =>
    signal.session_id === sessionId && index >= before
  return (await findSignal(client, 'answer', isNew)).sdp
}

/** Returns the first matching signal of its kind. Waits for it if none has arrived yet. */
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
