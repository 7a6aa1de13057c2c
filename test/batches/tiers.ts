import { globSync } from 'node:fs'

/**
 * Main user journeys in a browser, which `bin/test` runs, too: signing up, joining, writing, editing, files, pins and
 * roles. A minute of CPU in all.
 */
const STORIES = [
  'e2e/two-people.test.ts',
  'e2e/joining.test.ts',
  'e2e/editing.test.ts',
  'e2e/file-descriptions.test.ts',
  'e2e/pins.test.ts',
  'e2e/roles.test.ts',
]
/** Tests of apps and packages, and of rules for all code. */
const RULES = ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test/**/*.test.ts']
/** Tests of whole programs, browsers, and generated or packed clients. */
const WHOLE = [
  'openapi/*.test.ts',
  'clients/*.test.ts',
  'e2e/**/*.test.ts',
  'bench/*/*.test.ts',
  'chaos/*/*.test.ts',
]
/**
 * Tests of 10 to 60 CPU-seconds each: killing a server 14 times while it stores files, killing backups, restores and updates,
 * cutting processes off, creating a dozen databases, compiling a project for each way to use the packed SDK, and 5,000
 * requests. The other tests of `bin/test` prove the rules that the first and the third name.
 */
const SLOW_RULES = [
  'apps/server/src/files/crashes.test.ts',
  'apps/server/src/backups/kills.test.ts',
  'apps/server/src/updates/kills.test.ts',
  'apps/server/src/kernel/cluster/cut-off.test.ts',
  'apps/server/src/postgres/launch.test.ts',
  'apps/server/src/interactions/packed-sdk.test.ts',
  'apps/server/src/reference/fuzz.test.ts',
]
/** Tests of speed and of outages. bin/check runs each of them alone. */
export const LAST = ['bench/smoke.test.ts', 'chaos/smoke.test.ts']

export type Tier = 'first' | 'rest'

/** Returns the test files that `bin/test` runs, or the others that only `bin/check` runs, without LAST. */
export function listTier(root: string, tier: Tier): string[] {
  const find = (patterns: readonly string[]) =>
    globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
  const first = find(RULES).filter((path) => !SLOW_RULES.includes(path))
  const chosen = tier === 'first' ? [...first, ...STORIES] : find([...WHOLE, ...SLOW_RULES])
  return chosen.filter((path) => tier === 'first' || !STORIES.includes(path)).sort()
}
