import { eventSchemas, ownEventSchemas } from '@foyer/protocol/events'
import { CloseCode, FINAL_CLOSE_CODES, GATEWAY_VERSION, Opcode } from '@foyer/protocol/gateway'
import { MAX_FRAME_BYTES } from '@foyer/protocol/limits'

const meanings: Readonly<Record<keyof typeof Opcode, string>> = {
  Dispatch:
    'server: an event; `t` is its name, `d` its data, `s` its position in the journal. Transient events have no `s`',
  Heartbeat: 'client: the last `s`, or null',
  Identify:
    'client, within 10 s of HELLO: `{token, session_token, presence, capabilities}`, bots `{token: "Bot <token>"}`; READY answers. `capabilities: ["threads"]` asks for the events of threads. Spaces beyond 40,000 rooms, overwrites and roles in total follow it, each as SPACE_CREATE and MESSAGE_ACKs',
  PresenceUpdate:
    'client: `{status, custom}`; sets the status of the user: `online`, `idle`, `dnd` or `invisible`',
  VoiceStateUpdate:
    'client: `{room_id | conversation_id, self_mute, self_deaf, session_id, nonce}`; joins a voice room or call, or leaves if neither is given. A join is answered by a VOICE_SIGNAL of the kind `grant`. With the `session_id` of the current session, only its flags change',
  VoiceSignal:
    'client: `{kind: "offer", session_id, sdp}`, once for each grant; server: `{kind, session_id}` with the `grant`, the `sdp` of an `answer`, the `slots` (the user in each line of the offer) or the `reason` of an `end`',
  Resume:
    'client, instead of IDENTIFY: `{token, session_token, presence, capabilities, s}`; the missed events answer it, and then RESUMED',
  Reconnect: 'server: `{after_ms}`; the server is stopping: reconnect after that time, and resume',
  RequestMembers:
    'client: `{space_id, query, user_ids, limit, nonce}`, with either `query` or `user_ids`; SPACE_MEMBERS_CHUNK answers',
  InvalidSession: 'server: resuming is not possible; identify on this connection',
  Hello: 'server, first: `{heartbeat_interval, resume_window_ms}`',
  HeartbeatAck: 'server: answers a heartbeat',
  Error: 'server: `{code, error, nonce}`; a command failed',
  Subscribe:
    'client: `{space_id, room_id, member_ranges, presence, typing}`; chooses which ranges of the member list to receive, such as `[[0, 99]]`, and whether to receive presence and typing events. With a room, the list has only members who may view it. It ends with the connection, and the list of a room with its ROOM_DELETE',
}

const reasons: Readonly<Record<keyof typeof CloseCode, string>> = {
  Unknown: 'something went wrong',
  UnknownOpcode: 'unknown opcode',
  NotDecodable: `a frame is not JSON, or is over ${MAX_FRAME_BYTES / 1024} KiB`,
  NotIdentified: 'not identified, or not in time',
  CredentialRefused: 'the credentials were refused',
  IdentifiedTwice: 'identified twice',
  TooFastOrTooSlow: 'over 120 frames per minute, or reading too slowly',
  HeartbeatMissed: 'no heartbeat came in time',
  UnknownVersion: 'unknown version',
  SessionEnded: 'the session ended',
  SecondFactorNeeded:
    'everybody on this server needs a second factor: the client sets one up or confirms the session, and connects again',
}

/** Guide to the gateway for authors of clients, since OpenAPI cannot describe WebSockets. */
export const gatewayGuide = `Events are sent over a WebSocket. Connect to the address that this endpoint returns,
followed by \`?v=${GATEWAY_VERSION}\`. Frames are JSON texts:
\`{"op": 0, "t": "MESSAGE_CREATE", "s": "…", "d": {…}}\`.

${tableOf('op', 'Name', opcodes())}

A client waits for HELLO, identifies, and sends a heartbeat every \`heartbeat_interval\` milliseconds. When the connection is
lost, it reconnects and resumes after the last \`s\` that it received. No event is lost then. An event that arrives
twice has an \`s\` that the client already knows. The data of each event is a property of the schema \`Events\`, at the end.

${tableOf('Close code', 'Why', closeCodes())}

After ${FINAL_CLOSE_CODES.join(', ')} a client must not reconnect by itself.`

function opcodes(): [number, string][] {
  const names = Object.keys(Opcode).filter(isOpcode)
  return names.map((name) => [Opcode[name], `${screaming(name)} – ${meanings[name]}`])
}

function closeCodes(): [number, string][] {
  const names = Object.keys(CloseCode).filter(isCloseCode)
  return names.map((name) => [CloseCode[name], reasons[name]])
}

function isOpcode(name: string): name is keyof typeof Opcode {
  return name in Opcode
}

function isCloseCode(name: string): name is keyof typeof CloseCode {
  return name in CloseCode
}

function screaming(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
}

function tableOf(first: string, second: string, rows: readonly [number, string][]): string {
  return [`| ${first} | ${second} |`, '|---|---|', ...rows.map(([key, text]) => `| ${key} | ${text} |`)].join(
    '\n',
  )
}

const ownUpdate = {
  description:
    'The user receives the first shape. Users who share spaces or conversations with them receive the second, once for each.',
  anyOf: [ownEventSchemas.USER_UPDATE, eventSchemas.USER_UPDATE],
}

/** Returns a copy of the event schemas: making the document changes them. */
export function eventsShape(): Record<string, unknown> {
  const properties = JSON.parse(JSON.stringify({ ...eventSchemas, USER_UPDATE: ownUpdate }))
  return { type: 'object', description: 'data of each gateway event, by the name of the event', properties }
}
