import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

/** Number of latest commits whose test files come first. */
const RECENT_COMMITS = 40

/**
 * Orders test files for a run whose time is limited: files that the latest commits changed come first. The order of the
 * other files changes with each commit, so that a few runs cover all files.
 */
export function orderByCommit(root: string, files: readonly string[]): string[] {
  const commit = readGit(root, 'rev-parse', 'HEAD')
  const log = readGit(root, 'log', `--max-count=${RECENT_COMMITS}`, '--name-only', '--format=')
  const recent = new Set(log.split('\n'))
  const keyOf = (file: string) => `${recent.has(file) ? 0 : 1}${digest(`${commit} ${file}`)}`
  const keys = new Map(files.map((file) => [file, keyOf(file)]))
  return files.toSorted((one, other) => ((keys.get(one) ?? '') < (keys.get(other) ?? '') ? -1 : 1))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns an empty text outside of a repository, where any order is as good as another. */
function readGit(root: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
