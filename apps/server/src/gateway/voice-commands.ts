import { Opcode } from '@foyer/protocol/gateway'
import type { UpdateVoiceState, VoiceOffer, VoiceSignal } from '@foyer/protocol/voice'
import type { Caller } from '#src/kernel/credentials.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { answerOffer, type VoiceDeps } from '#src/voice/actions.ts'
import { updateVoiceState, type VoiceSeat } from '#src/voice/commands.ts'
import type { Connection } from './connection.ts'
import { commandFrame } from './frames.ts'

export const MAX_VOICE_COMMANDS = 10
const WINDOW_MS = 10_000

/** What a connection has asked of voice. */
interface Desk {
  readonly seat: VoiceSeat
  readonly counts: Record<'states' | 'offers', { left: number; resetAt: number }>
  /** Resolves when the command before is done: of two, the later one is to have the last word. */
  last: Promise<void>
}

const desks = new WeakMap<Connection, Desk>()

/** op 4 */
export async function updateVoice(
  deps: VoiceDeps,
  connection: Connection,
  wanted: UpdateVoiceState,
): Promise<void> {
  const desk = deskOf(connection)
  if (desk === undefined) return
  count(desk, 'states', Date.now())
  const done = desk.last.then(async () => {
    if (connection.state.name === 'closed') return
    answer(connection, await updateVoiceState(deps, desk.seat, wanted))
  })
  desk.last = done.catch(() => undefined)
  await done
}

/** op 5 */
export async function offerVoice(deps: VoiceDeps, connection: Connection, offer: VoiceOffer): Promise<void> {
  const desk = deskOf(connection)
  if (desk === undefined) return
  count(desk, 'offers', Date.now())
  answer(connection, await answerOffer(deps, desk.seat.caller, offer))
}

function answer(connection: Connection, signal: VoiceSignal | undefined): void {
  if (signal !== undefined) connection.send(commandFrame(Opcode.VoiceSignal, signal))
}

function deskOf(connection: Connection): Desk | undefined {
  const { caller } = connection
  return caller && (desks.get(connection) ?? openDesk(connection, caller))
}

function openDesk(connection: Connection, caller: Caller): Desk {
  const seat = { caller, sessionId: undefined }
  const counts = { states: { left: 0, resetAt: 0 }, offers: { left: 0, resetAt: 0 } }
  const desk: Desk = { seat, counts, last: Promise.resolve() }
  desks.set(connection, desk)
  return desk
}

/** @throws ApiError rate_limited: what a join costs, the whole room pays */
function count({ counts }: Desk, kind: keyof Desk['counts'], now: number): void {
  const known = counts[kind]
  const window = now < known.resetAt ? known : { left: MAX_VOICE_COMMANDS, resetAt: now + WINDOW_MS }
  counts[kind] = window
  window.left -= 1
  if (window.left < 0) throw new ApiError('rate_limited')
}
