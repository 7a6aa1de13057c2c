import { Opcode } from '@foyer/protocol/gateway'
import type { UpdateVoiceState, VoiceOffer, VoiceSignal, VoiceWatch } from '@foyer/protocol/voice'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { answerOffer, type VoiceDeps, watchPictures } from '#src/voice/actions/voice.ts'
import { updateVoiceState, type VoiceClient } from '#src/voice/commands.ts'
import type { Connection } from './connections/connection.ts'
import { commandFrame } from './connections/frames.ts'

/**
 * Maximum commands per 10 seconds. State changes and offers cause work for the whole room, so few are allowed. Watches
 * are sent when the client's window is resized, and cause work only for the viewer.
 */
const MAX_COMMANDS = { states: 10, offers: 10, watches: 20 } as const
const WINDOW_MS = 10_000

/** Voice commands of a connection. */
interface VoiceCommandState {
  readonly client: VoiceClient
  readonly counts: Record<keyof typeof MAX_COMMANDS, { left: number; resetAt: number }>
  /** Resolves when the previous command is done. Commands other than offers run in order, so that the last one wins. */
  last: Promise<void>
}

const states = new WeakMap<Connection, VoiceCommandState>()

/** Handles op 4, a change of the voice state. */
export async function updateVoice(
  deps: VoiceDeps,
  connection: Connection,
  wanted: UpdateVoiceState,
): Promise<void> {
  const state = stateOf(connection)
  if (state === undefined) return
  count(state, 'states', Date.now())
  await inOrder(state, async () => {
    if (connection.state.name === 'closed') return
    answer(connection, await updateVoiceState(deps, state.client, wanted))
  })
}

/** Handles op 5, a voice offer or the pictures to receive. */
export async function signalVoice(
  deps: VoiceDeps,
  connection: Connection,
  signal: VoiceOffer | VoiceWatch,
): Promise<void> {
  const state = stateOf(connection)
  if (state === undefined) return
  count(state, signal.kind === 'watch' ? 'watches' : 'offers', Date.now())
  const { caller } = state.client
  if (signal.kind === 'watch') return inOrder(state, () => watchPictures(deps, caller, signal))
  answer(connection, await answerOffer(deps, caller, signal))
}

async function inOrder(state: VoiceCommandState, command: () => Promise<void>): Promise<void> {
  const done = state.last.then(command)
  state.last = done.catch(() => undefined)
  await done
}

function answer(connection: Connection, signal: VoiceSignal | undefined): void {
  if (signal !== undefined) connection.send(commandFrame(Opcode.VoiceSignal, signal))
}

function stateOf(connection: Connection): VoiceCommandState | undefined {
  const { caller } = connection
  return caller && (states.get(connection) ?? newState(connection, caller))
}

function newState(connection: Connection, caller: Caller): VoiceCommandState {
  const isConnected = () => connection.state.name !== 'closed'
  const client = { caller, isConnected, sessionId: undefined }
  const none = { left: 0, resetAt: 0 }
  const counts = { states: none, offers: none, watches: none }
  const state: VoiceCommandState = { client, counts, last: Promise.resolve() }
  states.set(connection, state)
  return state
}

/** @throws ApiError rate_limited */
function count({ counts }: VoiceCommandState, kind: keyof VoiceCommandState['counts'], now: number): void {
  const known = counts[kind]
  const window = now < known.resetAt ? known : { left: MAX_COMMANDS[kind], resetAt: now + WINDOW_MS }
  counts[kind] = window
  window.left -= 1
  if (window.left < 0) throw new ApiError('rate_limited')
}
