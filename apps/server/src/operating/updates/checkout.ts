import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Version } from '#src/kernel/database/versions.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import { describeVersion } from './records.ts'

const run = promisify(execFile)

/** Returns the checked-out commit of a folder; null if the folder is not a git checkout, or git is not installed. */
export async function findCommit(root: string): Promise<string | null> {
  try {
    // Without a `.git` of its own, the folder may be part of another checkout.
    await access(join(root, '.git'))
    return (await git(root, 'rev-parse', 'HEAD')).trim()
  } catch {
    return null
  }
}

/** The commit to check out, or a sentence for the operator, who must install the version by hand. */
export type CodePlan = { commit: string; version: Version } | { says: string }

/** Checks whether the code of a version can be checked out without losing anything. */
export async function checkCode(root: string, version: Version | undefined): Promise<CodePlan> {
  const byHand = `Install ${describeVersion(version)} before you start the server`
  const present = await findCommit(root)
  if (version === undefined || version.commit === null || present === null) return { says: `${byHand}.` }
  if (present === version.commit)
    return { says: `The checkout is at ${describeVersion(version)} already: npm start` }
  try {
    await access(join(root, '.git'), constants.W_OK)
    await git(root, 'cat-file', '-e', `${version.commit}^{commit}`)
    const changed = await git(root, 'status', '--porcelain', '--untracked-files=no')
    if (changed.trim() !== '') return { says: `${byHand}: the checkout has changes of its own.` }
  } catch (error) {
    return { says: `${byHand}: ${wordsOf(error).trim()}` }
  }
  return { commit: version.commit, version }
}

/**
 * Checks the commit out.
 * @returns the remaining step for the operator
 */
export async function bringBackCode(root: string, plan: CodePlan): Promise<string> {
  if ('says' in plan) return plan.says
  await git(root, 'checkout', '--quiet', '--detach', plan.commit)
  return `The checkout is at ${describeVersion(plan.version)}: run npm ci, then npm start. git switch returns to your branch.`
}

/**
 * Runs git, which would refuse another user's checkout. Accepting it is safe here, because the checkout's code is already
 * running.
 */
async function git(root: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-c', 'safe.directory=*', '-C', root, ...args], { encoding: 'utf8' })
  return stdout
}
