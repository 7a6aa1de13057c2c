import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import { type Files, readRepository } from '../architecture/repository-files.ts'
import { treeOf } from '../architecture/rule.ts'
import { isCode } from '../architecture/source.ts'

/**
 * Files that import all features. The search for affected tests stops at these files, because every test of the server
 * depends on them.
 */
const COMPOSITION_ROOTS = [
  'apps/server/src/app.ts',
  'apps/server/src/deps.ts',
  'apps/server/src/start.ts',
  'apps/server/src/reference/documents.ts',
  'packages/sdk/src/client.ts',
]
/** Folders with tests of whole programs and browsers. Such a test counts as affected only if the test itself has changed. */
const WHOLE_PROGRAMS = /^(e2e|bench|chaos)\//

/**
 * Returns the test files affected by a change: those in the folder of a changed file, and those that import one,
 * directly or indirectly.
 * @param base commit to compare with; new files count as changed
 */
export function findChangedTests(root: string, base: string): Set<string> {
  return findTestsOf(readRepository(root), listChanges(root, base))
}

export function findTestsOf(files: Files, changes: readonly string[]): Set<string> {
  const importers = findImporters(files)
  const reached = new Set(changes)
  for (const path of reached) {
    if (COMPOSITION_ROOTS.includes(path)) continue
    for (const importer of importers.get(path) ?? []) reached.add(importer)
  }
  const folders = new Set(changes.map((path) => posix.dirname(path)))
  const isConcerned = (path: string) => reached.has(path) || folders.has(posix.dirname(path))
  return new Set(Object.keys(files).filter((path) => isRun(path, changes) && isConcerned(path)))
}

function isRun(path: string, changes: readonly string[]): boolean {
  if (!path.endsWith('.test.ts')) return false
  return !WHOLE_PROGRAMS.test(path) || changes.includes(path)
}

/** Maps each file to its importers. Type imports do not count: the compiler checks them. */
function findImporters(files: Files): Map<string, string[]> {
  const code = Object.entries(files).filter(([path]) => isCode(path) || path.endsWith('package.json'))
  const edges = treeOf(Object.fromEntries(code)).imports.flatMap(({ from, target, typeOnly }) =>
    target.kind === 'file' && !typeOnly ? [{ from, to: target.path }] : [],
  )
  return new Map(
    [...Map.groupBy(edges, ({ to }) => to)].map(([to, list]) => [to, list.map(({ from }) => from)]),
  )
}

function listChanges(root: string, base: string): string[] {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const changed = git('diff', '--name-only', base)
  const added = git('ls-files', '--others', '--exclude-standard')
  return `${changed}${added}`.split('\n').filter((path) => path !== '')
}
