import { eventSchemas } from '@foyer/protocol/events'
import { CloseCode, FINAL_CLOSE_CODES, GATEWAY_VERSION, Opcode } from '@foyer/protocol/gateway'
import { MAX_FRAME_BYTES } from '@foyer/protocol/limits'

const meanings: Readonly<Record<keyof typeof Opcode, string>> = {
  Dispatch: 'server: an event; `t` is its name, `d` its data, `s` its place, which passing events have not',
  Heartbeat: 'client: the last `s`, or null',
  Identify:
    'client, within 10 s of HELLO: `{token, session_token, presence}`, bots `{token: "Bot <token>"}`; READY answers. Spaces past 40,000 rooms, overwrites and roles follow it, each as SPACE_CREATE and MESSAGE_ACKs',
  PresenceUpdate: 'client: `{status, custom}`; how the user is seen, `online`, `idle`, `dnd` or `invisible`',
  VoiceStateUpdate:
    'client: `{room_id | conversation_id, self_mute, self_deaf, session_id, nonce}`; where to be in voice, neither leaves, and a VOICE_SIGNAL of the kind `grant` answers who joins; with its `session_id` only the flags of a session change',
  VoiceSignal:
    'client: `{kind: "offer", session_id, sdp}`, once for a grant; server: `{kind, session_id}` with `grant`, the `sdp` of an answer, the `slots` (who is heard in which line of the offer) or the `reason` of an `end`',
  Resume:
    'client, in place of IDENTIFY: `{token, session_token, presence, s}`; what was missed answers, and then RESUMED',
  Reconnect: 'server: `{after_ms}`; it stops, come back after that and resume',
  RequestMembers:
    'client: `{space_id, query, user_ids, limit, nonce}`, one of `query` and `user_ids`; SPACE_MEMBERS_CHUNK answers',
  InvalidSession: 'server: it cannot resume from there; identify, on this connection',
  Hello: 'server, first: `{heartbeat_interval, resume_window_ms}`',
  HeartbeatAck: 'server: answers a heartbeat',
  Error: 'server: `{code, error, nonce}`; a command that could not be carried out',
  Subscribe:
    'client: `{space_id, room_id, member_ranges, presence, typing}`; which ranges of the list of members to see, as `[[0, 99]]`, of those only who may view the room where one is named, and whether to hear presence and typing there; it ends with the connection, and the list of a room with its ROOM_DELETE',
}

const reasons: Readonly<Record<keyof typeof CloseCode, string>> = {
  Unknown: 'something went wrong',
  UnknownOpcode: 'unknown opcode',
  NotDecodable: `a frame is no JSON, or over ${MAX_FRAME_BYTES / 1024} KiB`,
  NotIdentified: 'not identified (in time)',
  CredentialRefused: 'the credential is refused',
  IdentifiedTwice: 'identified twice',
  TooFastOrTooSlow: 'over 120 frames a minute, or too slow to read',
  HeartbeatMissed: 'no heartbeat came in time',
  UnknownVersion: 'unknown version',
  SessionEnded: 'the session ended',
}

/** Guide to the gateway for authors of clients, since OpenAPI cannot describe WebSockets. */
export const gatewayGuide = `Events come over a WebSocket, at the address that this tells, with \`?v=${GATEWAY_VERSION}\` behind it. Frames are texts of JSON,
\`{"op": 0, "t": "MESSAGE_CREATE", "s": "…", "d": {…}}\`.

${tableOf('op', 'Name', opcodes())}

A client waits for HELLO, identifies, and sends a heartbeat every \`heartbeat_interval\` milliseconds. When the connection is
lost it comes back and resumes after the last \`s\` that it saw: nothing is missed, and what comes twice has an \`s\` that it
knows. The data of each event is a property of the shape \`Events\`, at the end.

${tableOf('Close code', 'Why', closeCodes())}

After ${FINAL_CLOSE_CODES.join(', ')} a client does not come back by itself.`

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

/** Returns a copy of the event schemas: making the document changes them. */
export function eventsShape(): Record<string, unknown> {
  const properties = JSON.parse(JSON.stringify(eventSchemas))
  return { type: 'object', description: "the gateway's events: the data of each, by its name", properties }
}
