import type { Import } from './imports.ts'
import { type Rule, sourceRule } from './rule.ts'
import { isTest, type Violation } from './source.ts'

const WEB = 'apps/web/src/'

/**
 * The web client from the bottom up: a folder or file imports only from lines above its own in this table. Folders on one line
 * must not import each other. A listed folder has its own rank, independent of the rank of the folder that contains it.
 */
const RANKS: readonly (readonly string[])[] = [
  ['language'],
  ['ui', 'worker/push-words.ts'],
  ['store'],
  ['attachments/transfer', 'voice/control'],
  ['session'],
  ['permissions'],
  ['roles', 'appearance'],
  ['images'],
  ['presence'],
  ['auth'],
  ['thread-rooms/in-use'],
  ['shortcuts'],
  ['unread'],
  ['emojis'],
  ['channels'],
  ['rooms/names'],
  ['members'],
  ['reports'],
  ['reports/making'],
  ['conversations'],
  ['members/actions'],
  ['friends/profiles'],
  ['attachments'],
  ['mentions'],
  ['markdown'],
  ['messages/embeds'],
  ['messages/reactions'],
  ['commands/interactions'],
  ['commands'],
  ['voice'],
  ['voice/calls'],
  ['messages/recordings'],
  ['switcher'],
  ['thread-rooms/names'],
  ['thread-rooms/list'],
  ['forums/tags'],
  ['thread-rooms/starting', 'thread-rooms/moving'],
  ['messages'],
  ['notifications', 'announcements'],
  ['messages/threads'],
  ['messages/pins'],
  ['search'],
  ['thread-rooms/panel'],
  ['members/list'],
  ['mentions/inbox'],
  ['friends'],
  ['applications'],
  ['reports/own', 'reports/queue'],
  ['account'],
  ['voice/panel'],
  ['voice/calls/bar'],
  ['spaces/invites'],
  ['webhooks'],
  ['forums/settings'],
  ['rooms'],
  ['spaces'],
  ['conversations/list'],
  ['spaces/welcome'],
  ['channels/pane'],
  ['forums'],
  ['rooms/page'],
  ['thread-rooms/page'],
  ['operators'],
  ['conversations/page'],
  ['worker'],
  ['session/offline'],
  ['session/start.ts'],
  ['shell'],
  ['app.tsx'],
  ['open.tsx'],
  ['main.tsx'],
]

const RANK_OF = new Map(RANKS.flatMap((places, rank) => places.map((place) => [place, rank])))

export const webRanks: Rule = {
  name: 'the web client imports downwards only: language, ui ← store ← session ← … ← messages ← … ← shell ← app',
  check: ({ imports }) => imports.flatMap(violationOf),
}

export const everyWebPlaceRanked = sourceRule('every file of the web client has a rank', ({ path }) => {
  if (!isRanked(path) || placeOf(path) !== undefined) return []
  return [{ path, line: 1, message: 'add its folder to RANKS' }]
})

export const webRankRules: readonly Rule[] = [webRanks, everyWebPlaceRanked]

function violationOf(edge: Import): Violation[] {
  if (edge.target.kind !== 'file' || !isRanked(edge.from) || !isRanked(edge.target.path)) return []
  const [from, to] = [placeOf(edge.from), placeOf(edge.target.path)]
  if (from === undefined || to === undefined || from === to || rankOf(to) < rankOf(from)) return []
  const message = `${from} may not know ${to}: move what both need below both, or turn the call around (see RANKS)`
  return [{ path: edge.from, line: edge.line, message }]
}

/** Returns true for code with a rank. Styles and texts belong to the component that imports them, and tests may import anything. */
function isRanked(path: string): boolean {
  return path.startsWith(WEB) && /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isTest(path)
}

/** Returns the longest path in RANKS that contains the file. */
function placeOf(path: string): string | undefined {
  const parts = path.slice(WEB.length).split('/')
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  return paths.findLast((candidate) => RANK_OF.has(candidate))
}

function rankOf(place: string): number {
  return RANK_OF.get(place) ?? -1
}
