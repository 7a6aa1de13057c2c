import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const MIGRATIONS = 'apps/server/migrations'

/**
 * SHA-256 of the migrations up to 0017, some of which were edited after they were merged. From 0018 on, a file must
 * stay as it was first committed.
 */
export const BASELINE: Readonly<Record<string, string>> = {
  '0001-foundation.sql': 'b72073ba8aa7516f29540bc2c4bbe2d651cec839be529d483a11581cf47a4d0d',
  '0002-spaces-whole.sql': 'dc77b02d36bc0f060452016b219f6f7e314a3117c0f359589f471f0bf07ff258',
  '0003-files.sql': '60a64b2855d1ca68270438f9d56d81e8b27799c935c5faaafd5192fe3f3f38dd',
  '0004-messaging.sql': 'bca0c47a1810f7ee92afc4761c47ff7961a36103720091d4adc47de3b86a3cd4',
  '0005-search.sql': 'e4786b636d3f46fd7702ef32802f8b2fb5932bc4d96c857f8ca227cdc38ea4c7',
  '0006-webhooks.sql': '7d2c1be71d6811474c59fdfb34d3de70b8da08d2d280bea265cb037ab879b2a9',
  '0007-interactions.sql': '1dea3961e8a7c2fd2b2cdecea63253c3bc566de8df02f7408728c8bc113173a9',
  '0008-previews.sql': '290464e9c638b73f10c1ea3f436fca33d9cc260a761e07fd5c7e3869b81485b9',
  '0009-journal-by-time.sql': 'ef5ad791d69a0639378816cd09bb4628bfd91010c4950c05364865feed7f5749',
  '0011-search-in-bulk.sql': '86583780c62508b461675ba4dada86bb25b52e1044f6fc2182fa5d1af0125110',
  '0012-member-names.sql': '9fee11bb93498a3b5467981cf32c6eca0b21f7179f6687411d3f56f742e4c6d4',
  '0013-voice.sql': '95b0449468c95ede6785af48741bec5cf9ea82203105482d9981cdf3bdb905a5',
  '0014-notifications.sql': '70508e4e1e129356876e3da77478118f89f6444ea5a8d889445a696e25c59ff6',
  '0015-threads.sql': '4a425742061e7aed220bfc1b17f7357aba8482bef94047878c213607b04a7203',
  '0016-cut-off-processes.sql': '1204bfe24a6cfca9e6ae5a2f70eb05dcdb6b8f62619c0a06ca7b4a0f98134b90',
  '0017-mentions-by-id.sql': 'c83ae6d54a2db35cc83a2f72e2374f18bbe5341b305cf6b2cff10821f5c83e96',
}

/** Returns the reason why the git history cannot be read, or false. */
export function withoutHistory(root: string): string | false {
  try {
    if (git(root, 'rev-parse', '--is-shallow-repository').trim() === 'false') return false
    return 'this clone is shallow, so that later migrations cannot be compared with their first commits: git fetch --unshallow'
  } catch (error) {
    return `there is no git history to compare later migrations with: ${error}`
  }
}

/** Returns the names of the baseline's migrations that are missing or changed. */
export function listChangedBaseline(root: string): string[] {
  return Object.entries(BASELINE)
    .filter(([name, sha256]) => sumOf(root, name) !== sha256)
    .map(([name]) => name)
}

/** Returns the names of later migrations that are missing or differ from their first commit. */
export function listChangedSince(root: string): string[] {
  return [...firstBlobs(root)]
    .filter(([name, first]) => isLater(name) && blobOf(root, name) !== first)
    .map(([name]) => name)
    .sort()
}

function isLater(name: string): boolean {
  return name.endsWith('.sql') && !(name in BASELINE) && name > lastOf(BASELINE)
}

/** Returns each name that was ever added, with git's hash of its first content, all from one run of git. */
function firstBlobs(root: string): Map<string, string> {
  const args = [
    'log',
    '--no-renames',
    '--diff-filter=A',
    '--raw',
    '--no-abbrev',
    '--format=',
    '--',
    MIGRATIONS,
  ]
  const added = git(root, ...args).matchAll(/^:\d+ \d+ \w+ (\w+) A\t(.+)$/gm)
  // The first commit of a file comes last, and replaces later ones.
  return new Map([...added].map(([, blob = '', path = '']) => [path.slice(MIGRATIONS.length + 1), blob]))
}

/** Returns git's hash of a file's present content. */
function blobOf(root: string, name: string): string | undefined {
  const text = readHere(root, name)
  if (text === undefined) return undefined
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
}

function readHere(root: string, name: string): string | undefined {
  const path = join(root, MIGRATIONS, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function sumOf(root: string, name: string): string | undefined {
  const text = readHere(root, name)
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex')
}

function lastOf(baseline: Readonly<Record<string, string>>): string {
  return Object.keys(baseline).sort().at(-1) ?? ''
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
