import type { State } from '#src/store/state.ts'

const KEY = 'foyer.places'
/** Of all of it together: browsers give a page a few million characters, and drafts need some of them. */
const MAX_CHARACTERS = 1_500_000

/** What the app is drawn of before anything was said: who one is, and where one can go. Messages are not kept. */
export type Places = Pick<
  State,
  'users' | 'spaces' | 'rooms' | 'conversations' | 'readStates' | 'notificationSettings' | 'friends'
> & { readonly me: NonNullable<State['me']> }

interface Kept {
  /** Another build may give these things another shape. */
  readonly build: string
  readonly places: Places
}

/** Keeps the places for when the app is opened without a server. */
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
    // Full, or withheld: then the app opens with a server only.
  }
}

/** What was kept by this very build; null without. */
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
}

/** Those that places are named after: a member list of thousands is not kept. */
function namedUsers({ me, users, conversations, friends }: State): State['users'] {
  const others = Object.values(conversations).flatMap(({ recipients }) => recipients.map(({ id }) => id))
  const ids = new Set([me?.id ?? '', ...others, ...Object.keys(friends)])
  return Object.fromEntries(Object.entries(users).filter(([id]) => ids.has(id)))
}

function isKept(value: unknown, build: string): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  return 'build' in value && value.build === build && 'places' in value
}
