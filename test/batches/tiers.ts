import { globSync } from 'node:fs'
import { SLOW_RULES } from './slow-rules.ts'

/**
 * Main user journeys in a browser, which `bin/test` also runs: signing up, joining, writing, editing, files, pins and
 * roles. They take a minute of CPU time in total.
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
 * Tests of speed, of outages and of two machines. bin/check runs each of them alone. When the network interfaces for the
 * two machines are created, all browsers of this machine drop their connections (`ERR_NETWORK_CHANGED`).
 */
export const LAST = ['e2e/two-machines/two-machines.test.ts', 'bench/smoke.test.ts', 'chaos/smoke.test.ts']

export type Tier = 'first' | 'rest'

/** Returns the files that `bin/test` runs (first), or those that only `bin/check` runs (rest). LAST is in neither. */
export function listTier(root: string, tier: Tier): string[] {
  const find = (patterns: readonly string[]) =>
    globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
  const slow = new Set(find(SLOW_RULES))
  const elsewhere = tier === 'first' ? LAST : [...LAST, ...STORIES]
  const first = find(RULES).filter((path) => !slow.has(path))
  const chosen = tier === 'first' ? [...first, ...STORIES] : [...find(WHOLE), ...slow]
  return chosen.filter((path) => !elsewhere.includes(path)).sort()
}
