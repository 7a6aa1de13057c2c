import type { User } from '@foyer/protocol/users'
import { EMOJI } from '#src/emojis/emoji-text.ts'
import { t } from '#src/language/texts.ts'
import { roleName } from '#src/roles/role-name.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'
import { withoutEmphasis } from './emphasis.ts'

/** Context that decides how mentions are resolved to names. */
export interface Names {
  readonly spaceId: string | null
  readonly nameOf: NameLookup
  /** Users mentioned in the text, as sent with the message; the client may not know them otherwise. */
  readonly people?: readonly User[]
}

/** A link with a label; the label is shown. */
const LINK = /\[([^[\]\n]{1,300})\]\(<?https?:[^\s()<>]{1,2000}>?\)/g
const MENTION = /<(@&?|#)([0-9a-f-]{36})>/g

/** Replaces ids with names, as people read and write them. */
export function readable(state: State, { spaceId, nameOf, people = [] }: Names, text: string): string {
  return text.replaceAll(EMOJI, ':$1:').replaceAll(MENTION, (all, kind: string, id: string) => {
    const name = kind === '#' ? state.rooms[id] && roomName(state.rooms[id]) : who(kind, id)
    return name === undefined ? all : kind.charAt(0) + name
  })

  function who(kind: string, id: string): string | undefined {
    const listed = people.find((other) => other.id === id) ?? state.members[spaceId ?? '']?.[id]?.user
    const user = state.users[id] ?? listed
    if (kind === '@') return user && nameOf(user)
    const role = state.spaces[spaceId ?? '']?.roles.find((candidate) => candidate.id === id)
    return role && roleName(role).replace(/^@/, '')
  }
}

/** Returns a text on one line, without hidden parts and marks. */
export function excerpt(state: State, names: Names, text: string): string {
  return readableLine(state, names, withoutMarks(text))
}

/** The part of `excerpt` that depends on the text only. */
export function withoutMarks(text: string): string {
  const shown = text
    .replaceAll(/```([\s\S]*?)```/g, (_all, code: string) => code.replace(/^[\w+#.-]*\n?/, ''))
    .replaceAll(/\|\|[\s\S]+?\|\|/g, '▇▇▇')
  return withoutEmphasis(shown.replaceAll(LINK, '$1'))
    .replaceAll(/^(?:#{1,3}|>) /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The part of `excerpt` that depends on current names. */
export function readableLine(state: State, names: Names, line: string): string {
  return readable(state, names, line).replaceAll(MENTION, (_all, kind: string) => unknown(kind))
}

/** Returns the placeholder for an unknown mention, as in the rendered text. */
function unknown(kind: string): string {
  if (kind === '#') return t('#unknown')
  return kind === '@' ? t('@unknown') : t('@unknown role')
}
