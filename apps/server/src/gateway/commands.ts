import { isUtf8 } from 'node:buffer'
import { CloseCode, Heartbeat, Identify, Opcode, Resume } from '@foyer/protocol/gateway'
import { limits, MAX_FRAME_BYTES } from '@foyer/protocol/limits'
import { RequestMembers, Subscribe } from '@foyer/protocol/members'
import { UpdatePresence } from '@foyer/protocol/presence'
import { UpdateVoiceState, VoiceOffer, VoiceWatch } from '@foyer/protocol/voice'
import { type Static, type TSchema, Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { isGoodText } from '#src/kernel/http/bodies/body.ts'
import { compileInput, invalidInput } from '#src/kernel/http/validation.ts'
import type { Connection, ConnectionState } from './connections/connection.ts'
import { commandFrame } from './connections/frames.ts'
import { identify, type JoiningDeps, resume } from './joining/joining.ts'
import { requestMembers } from './member-lists/member-requests.ts'
import { updatePresence } from './presence/presence.ts'
import { subscribe } from './subscriptions.ts'
import { signalVoice, updateVoice } from './voice-commands.ts'

interface Command {
  /** The connection states in which a client may send the command. */
  states: readonly ConnectionState['name'][]
  run: Handler<unknown>
}

type Handler<Data> = (deps: JoiningDeps, connection: Connection, data: Data) => Promise<void> | void

/** All client commands. Any other opcode is unknown. */
const commands: Readonly<Record<number, Command>> = {
  [Opcode.Heartbeat]: command(
    Heartbeat,
    ['waiting', 'authenticating', 'joining', 'ready'],
    (_deps, connection) => connection.beat(),
  ),
  [Opcode.Identify]: command(Identify, ['waiting'], identify),
  [Opcode.Resume]: command(Resume, ['waiting'], resume),
  [Opcode.PresenceUpdate]: command(UpdatePresence, ['ready'], updatePresence),
  [Opcode.VoiceStateUpdate]: command(UpdateVoiceState, ['ready'], updateVoice),
  [Opcode.VoiceSignal]: command(Type.Union([VoiceOffer, VoiceWatch]), ['ready'], signalVoice),
  [Opcode.RequestMembers]: command(RequestMembers, ['ready'], requestMembers),
  [Opcode.Subscribe]: command(Subscribe, ['ready'], subscribe),
}

/** Makes a command that validates its data. Invalid data is answered with an ERROR. */
function command<S extends TSchema>(
  schema: S,
  states: Command['states'],
  handle: Handler<Static<S>>,
): Command {
  const validate = compileInput(schema)
  return {
    states,
    async run(deps, connection, data) {
      try {
        if (!validate(data)) throw invalidInput(validate.errors, 'the data')
        await handle(deps, connection, data)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        sendError(connection, error, nonceOf(data))
      }
    },
  }
}

/** Handles one frame of a client. An invalid frame closes the connection or is answered with an ERROR. */
export async function receive(
  deps: JoiningDeps,
  connection: Connection,
  frame: { data: Buffer; isBinary: boolean },
): Promise<void> {
  if (!connection.mayCommand()) return connection.closeFlood()
  const message = frame.isBinary ? undefined : decode(frame.data)
  if (message === undefined) return connection.close(CloseCode.NotDecodable, 'the frame cannot be decoded')
  const known = commands[message.op]
  if (known === undefined) return connection.close(CloseCode.UnknownOpcode, 'unknown opcode')
  if (!known.states.includes(connection.state.name)) return refuseState(connection, message.op)
  await known.run(deps, connection, message.d)
}

function refuseState(connection: Connection, op: number): void {
  const joins = op === Opcode.Identify || op === Opcode.Resume
  if (joins) return connection.close(CloseCode.IdentifiedTwice, 'identified already')
  connection.close(CloseCode.NotIdentified, 'identify first')
}

function sendError(
  connection: Connection,
  { code, message }: { code: string; message: string },
  nonce?: string,
): void {
  connection.send(commandFrame(Opcode.Error, { code, error: message, nonce }))
}

/** Returns the nonce that identifies the failed command. */
function nonceOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('nonce' in data)) return undefined
  const { nonce } = data
  return typeof nonce === 'string' && nonce.length <= limits.nonceMax ? nonce : undefined
}

interface ClientFrame {
  op: number
  d: unknown
}

/** Returns the frame's opcode and data; undefined if it is too long or not JSON of that shape. */
function decode(data: Buffer): ClientFrame | undefined {
  if (!isUtf8(data)) return undefined
  const frame = parse(data.toString())
  if (frame === undefined || (data.length > MAX_FRAME_BYTES && frame.op !== Opcode.VoiceSignal))
    return undefined
  return isGoodText(frame.d) ? frame : undefined
}

function parse(text: string): ClientFrame | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('op' in value)) return undefined
    const { op } = value
    return typeof op === 'number' ? { op, d: 'd' in value ? value.d : null } : undefined
  } catch {
    return undefined
  }
}
