import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem } from 'node:os'

/** Machine and commit, recorded with every figure: without them a figure means nothing. */
export interface Machine {
  cpu: string
  cores: number
  memory_gib: number
  kernel: string
  node: string
  commit: string
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    commit: describeCommit(),
  }
}

/** Returns the commit, with a `+` if files have changed since; `unknown` in an unpacked archive, which has no commit. */
function describeCommit(): string {
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`
  } catch {
    return 'unknown'
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim()
}
