import type { Import } from './imports.ts'
import { type Rule, sourceRule } from './rule.ts'
import { isTest, type Violation } from './source.ts'

const SERVER = 'apps/server/src/'
const EVERY_OTHER_FEATURE = 'every other feature'

/** Folders that only contain features. */
const GROUPS = ['people', 'operating', 'moderation', 'files', 'integrations', 'web']

/**
 * The server from the bottom up: a folder imports only from lines above its own in this table. Folders on one line must not
 * import each other, except with `together`.
 */
const RANKS: readonly { places: readonly string[]; together?: true }[] = [
  { places: ['kernel', 'postgres', 'settings.ts'], together: true },
  { places: ['files/objects'] },
  { places: ['files/images'] },
  { places: ['people/users'] },
  { places: ['operating/operators'] },
  { places: ['people/registration'] },
  { places: ['people/auth'] },
  { places: ['spaces'] },
  { places: ['moderation/screening'] },
  { places: ['rooms', 'roles', 'overwrites', 'members', 'moderation/bans', 'invites'] },
  { places: [EVERY_OTHER_FEATURE], together: true },
  { places: ['voice'] },
  { places: ['gateway', 'jobs'] },
  { places: ['operating/backups'] },
  { places: ['operating/doctor'] },
  { places: ['operating/server-tests'] },
  { places: ['deps.ts'] },
  { places: ['subscribers.ts'] },
  { places: ['app.ts'] },
  { places: ['start.ts'] },
  { places: ['main.ts'] },
  { places: ['doctor.ts'] },
  { places: ['operating/command-line'] },
  { places: ['operator.ts', 'backup.ts', 'restore.ts', 'rollback.ts'] },
]

/** Configuration is passed as arguments: any file may import its type, only entry points its value. */
const CONFIG = 'config.ts'
const STARTED = ['main.ts', 'doctor.ts', 'operator.ts', 'backup.ts', 'restore.ts', 'rollback.ts']

export const serverRanks: Rule = {
  name: 'the server imports downwards only: kernel ← users ← auth ← spaces ← … ← app ← start ← main',
  check: ({ imports }) => imports.flatMap(violationOf),
}

export const everyFileRanked = sourceRule('every file directly in the server has a rank', ({ path }) => {
  if (!path.startsWith(SERVER) || isTest(path) || rankOf(placeOf(path)) >= 0) return []
  return [{ path, line: 1, message: 'move it into a folder, or add it to RANKS' }]
})

export const serverRankRules: readonly Rule[] = [serverRanks, everyFileRanked]

function violationOf(edge: Import): Violation[] {
  if (!edge.from.startsWith(SERVER) || isTest(edge.from)) return []
  if (edge.target.kind !== 'file' || !edge.target.path.startsWith(SERVER)) return []
  const message = complaint(placeOf(edge.from), placeOf(edge.target.path), edge.typeOnly)
  return message === undefined ? [] : [{ path: edge.from, line: edge.line, message }]
}

/** Returns the feature of a file: a folder below src, or below a group of features. A file directly in src is its own feature. */
function placeOf(path: string): string {
  const [first = path, second] = path.slice(SERVER.length).split('/')
  return GROUPS.includes(first) ? `${first}/${second}` : first
}

function complaint(from: string, to: string, typeOnly: boolean): string | undefined {
  if (from === to) return undefined
  if (to === CONFIG) {
    return typeOnly || STARTED.includes(from)
      ? undefined
      : `take the configuration as an argument; only ${STARTED.join(', ')} read it`
  }
  const [fromRank, toRank] = [rankOf(from), rankOf(to)]
  const unranked = fromRank === -1 || toRank === -1
  if (unranked || toRank < fromRank || (toRank === fromRank && RANKS[fromRank]?.together)) return undefined
  return `${from} may not know ${to}: move what both need below both, or turn the call around (see RANKS)`
}

/** Returns the index in RANKS; -1 for a file directly in src that RANKS does not name. */
function rankOf(place: string): number {
  if (place === CONFIG) return 0
  const named = RANKS.findIndex(({ places }) => places.includes(place))
  if (named >= 0 || /\.tsx?$/.test(place)) return named
  return RANKS.findIndex(({ places }) => places.includes(EVERY_OTHER_FEATURE))
}
