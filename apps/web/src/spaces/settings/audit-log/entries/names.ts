import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'
import { roleName } from '#src/roles/role-name.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import type { SpaceEntry, State } from '#src/store/state.ts'

/** Names of everything that an entry mentions by id. */
export interface EntryNames {
  /** Id of the space, and of its role @everyone. */
  readonly spaceId: string
  user(id: unknown): string
  /** Null for a user who is not loaded. */
  knownUser(id: unknown): string | null
  /** Null for a role that was deleted. */
  role(id: unknown): string | null
  /** Null for a room that was deleted, or that the user may not view. */
  room(id: unknown): string | null
  /** Returns true for an existing forum, whose threads are posts. */
  isForum(id: unknown): boolean
  /** Returns the name of a reaction: the emoji itself, or the name of a custom emoji of the space. */
  emoji(key: unknown): string
  readonly missingRoom: {
    /** Continues a sentence, as in "in a deleted room". */
    readonly inSentence: string
    readonly alone: string
  }
}

interface Known {
  readonly space: Pick<SpaceEntry, 'id' | 'roles' | 'emojis'>
  readonly rooms: State['rooms']
  readonly users: Readonly<Record<string, User>>
  readonly nameOf: NameLookup
  /** True if the user may view every room. A room missing in `rooms` was then deleted. */
  readonly viewsAll: boolean
}

export function entryNames({ space, rooms, users, nameOf, viewsAll }: Known): EntryNames {
  function knownUser(id: unknown): string | null {
    const user = users[String(id)]
    return user === undefined ? null : nameOf(user)
  }
  return {
    spaceId: space.id,
    user: (id) => knownUser(id) ?? t('Unknown account'),
    knownUser,
    role(id) {
      const role = space.roles.find((each) => each.id === id)
      return role === undefined ? null : roleName(role)
    },
    room(id) {
      const room = rooms[String(id)]
      return room === undefined ? null : roomLabel(room)
    },
    isForum: (id) => rooms[String(id)]?.forum !== undefined,
    emoji: (key) => emojiName(space, String(key)),
    missingRoom: viewsAll
      ? { inSentence: t('a deleted room'), alone: t('Deleted room') }
      : { inSentence: t('a deleted or hidden room'), alone: t('Deleted or hidden room') },
  }
}

function emojiName({ emojis }: Pick<SpaceEntry, 'emojis'>, key: string): string {
  const known = emojis.find(({ id }) => id === key)
  if (known !== undefined) return `:${known.name}:`
  return /^[0-9a-f-]{36}$/.test(key) ? t('deleted emoji') : key
}
