import assert from 'node:assert/strict'
import type { Ready } from '@foyer/protocol/events'
import { Opcode } from '@foyer/protocol/gateway'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { UpdateVoiceState, VoiceSignal, VoiceState } from '@foyer/protocol/voice'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { endSessions } from '#src/voice/states/ending.ts'
import { connect, type GatewayClient, type ReceivedFrame } from '../gateway-client.ts'

/** Sends op 4 or op 5, and returns the answer: a signal, or the code of the error. */
export async function askVoice(
  client: GatewayClient,
  data: object,
  op: number = Opcode.VoiceStateUpdate,
): Promise<VoiceSignal | string> {
  const nonce = newId()
  client.send(op, { ...data, nonce })
  const { op: answered, d } = await client.find((frame) => Object(frame.d).nonce === nonce, 'the answer')
  return answered === Opcode.Error ? Object(d).code : Object(d)
}

/** Joins, and returns the id of the new session. */
export async function joinVoice(client: GatewayClient, wanted: UpdateVoiceState): Promise<string> {
  const answer = await askVoice(client, wanted)
  assert.ok(typeof answer === 'object', `joining was refused: ${answer}`)
  assert.equal(answer.kind, 'grant')
  return answer.session_id
}

/** Changes flags, or leaves. Success has no answer, so this waits for the answer to a later command that the server refuses. */
export async function changeVoice(client: GatewayClient, wanted: UpdateVoiceState): Promise<void> {
  const { session_id } = Object(await endOfQueue(client, wanted))
  assert.equal(session_id, undefined)
}

/** Sends the command, and a second one that the server refuses. Commands run in order, so the refusal comes last. */
function endOfQueue(client: GatewayClient, wanted: UpdateVoiceState): Promise<VoiceSignal | string> {
  client.send(Opcode.VoiceStateUpdate, wanted)
  const id = newId()
  return askVoice(client, { room_id: id, conversation_id: id })
}

/** Returns the signals of a kind that the client has received. */
export function signalsOf<Kind extends VoiceSignal['kind']>(
  client: GatewayClient,
  kind: Kind,
): Extract<VoiceSignal, { kind: Kind }>[] {
  return client.frames
    .filter(({ op, d }) => op === Opcode.VoiceSignal && Object(d).kind === kind)
    .map(({ d }) => Object(d))
}

/** Ends all voice sessions. */
export async function endAllVoice({ deps }: RunningServer): Promise<void> {
  const rows = await deps.database.query<{ session_id: string }>(sql`select session_id from voice_states`)
  const ids = rows.map(({ session_id }) => session_id)
  await endSessions(deps, ids, 'left')
}

/** Returns all voice states in READY, of spaces and conversations, sorted by user. */
export async function statesInReady(server: RunningServer, person: { id: string }): Promise<VoiceState[]> {
  const client = await connect(server, person)
  const { d } = await client.findEvent('READY')
  client.close()
  return voicesOf(Object(d)).toSorted(byUser)
}

function byUser(one: VoiceState, other: VoiceState): number {
  return one.user_id < other.user_id ? -1 : 1
}

function voicesOf(ready: Ready): VoiceState[] {
  return [...ready.spaces.flatMap(({ voice_states }) => voice_states), ...ready.voice_states]
}

/**
 * Returns the voice states known to a client that received these frames, sorted by user. A user is in one channel, a
 * leave ends the session that it names, and a repeated frame counts once.
 */
export function knownVoices(frames: readonly ReceivedFrame[]): VoiceState[] {
  const known = new Map<string, VoiceState>()
  const heard = new Set<string>()
  const drop = (isGone: (state: VoiceState) => boolean) => {
    for (const state of [...known.values()]) if (isGone(state)) known.delete(state.user_id)
  }
  for (const { t = '', d, s } of frames) {
    if (s !== undefined && heard.has(s)) continue
    if (s !== undefined) heard.add(s)
    takeVoices(known, drop, t, Object(d))
  }
  return [...known.values()].toSorted(byUser)
}

function takeVoices(
  known: Map<string, VoiceState>,
  drop: (isGone: (state: VoiceState) => boolean) => void,
  name: string,
  data: Ready & SpaceState & VoiceState,
): void {
  const take = (states: readonly VoiceState[]) => {
    for (const state of states) known.set(state.user_id, state)
  }
  if (name === 'READY') {
    known.clear()
    take(voicesOf(data))
  }
  if (name === 'SPACE_CREATE') {
    drop(({ space_id }) => space_id === data.id)
    take(data.voice_states)
  }
  if (name === 'SPACE_DELETE') drop(({ space_id }) => space_id === data.space_id)
  if (name === 'ROOM_DELETE') drop(({ room_id }) => room_id === data.room_id)
  if (name === 'CONVERSATION_DELETE') drop((state) => state.conversation_id === data.conversation_id)
  if (name !== 'VOICE_STATE_UPDATE') return
  if (data.room_id ?? data.conversation_id) take([data])
  else drop(({ session_id }) => session_id === data.session_id)
}
