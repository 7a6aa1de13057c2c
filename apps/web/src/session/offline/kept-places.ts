import type { State } from '#src/store/state.ts'
import { THREADS_KEY } from '../place.ts'

const KEY = 'foyer.places'
/** Maximum number of stored characters. Browsers give a page a few million, and drafts need some of them. */
const MAX_CHARACTERS = 1_500_000

/** State needed to render the app before READY: the user, their spaces, rooms and conversations. Messages are not kept. */
export type Places = Pick<
  State,
  'users' | 'spaces' | 'rooms' | 'conversations' | 'readStates' | 'notificationSettings' | 'friends'
> & { readonly me: NonNullable<State['me']> }

interface Kept {
  /** Build that stored the state: another build may use another format. */
  readonly build: string
  readonly places: Places
}

/** Stores the state for opening the app without a server. */
export function writePlaces(storage: Storage, state: State, build: string): void {
  const { me, spaces, rooms, conversations, readStates, notificationSettings, friends } = state
  if (me === null) return
  const users = namedUsers(state)
  const places = { me, users, spaces, rooms, conversations, readStates, notificationSettings, friends }
  const text = JSON.stringify({ build, places } satisfies Kept)
  try {
    if (text.length > MAX_CHARACTERS) storage.removeItem(KEY)
    else storage.setItem(KEY, text)
  } catch {
    // Storage is full or blocked. The app then only opens with a server.
  }
}

/** Returns the state stored by this build; null if there is none. */
export function readPlaces(storage: Pick<Storage, 'getItem'>, build: string): Places | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? 'null')
    return isKept(kept, build) ? kept.places : null
  } catch {
    return null
  }
}

export function forgetPlaces(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(KEY)
  storage.removeItem(THREADS_KEY)
}

/** Returns only the users after whom conversations are named, not member lists of thousands. */
function namedUsers({ me, users, conversations, friends }: State): State['users'] {
  const others = Object.values(conversations).flatMap(({ recipients }) => recipients.map(({ id }) => id))
  const ids = new Set([me?.id ?? '', ...others, ...Object.keys(friends)])
  return Object.fromEntries(Object.entries(users).filter(([id]) => ids.has(id)))
}

function isKept(value: unknown, build: string): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  return 'build' in value && value.build === build && 'places' in value
}
