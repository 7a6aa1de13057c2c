import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder on a small file system in memory (tmpfs). */
export interface SmallDisk {
  folder: string
  remove(): void
}

export function makeSmallDisk(sizeBytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-small-disk-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'none', folder)
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  return {
    folder,
    remove() {
      run('umount', '--lazy', folder)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Reason why this machine cannot make such a disk, or false. */
export const withoutSmallDisks: string | false = reasonAgainst()

function reasonAgainst(): string | false {
  try {
    makeSmallDisk(1024 * 1024).remove()
    return false
  } catch (error) {
    return `no small disk can be mounted here, which takes root: ${error}`
  }
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
