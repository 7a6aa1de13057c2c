import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Only blocks that were written take space. */
const DISK_SIZE = '1G'
/** Ends an ext4 at once and drops what its journal holds in memory alone: EXT4_IOC_SHUTDOWN, flag NOLOGFLUSH. Perl is on every Debian. */
const SHUTDOWN =
  'open(my $folder, "<", $ARGV[0]) or die $!; my $flag = pack("L", 2); ioctl($folder, 0x8004587d, $flag) or die $!'

/** A disk of its own, whose power can go. */
export interface PowerCutDisk {
  /** Where it is mounted. */
  folder: string
  /** The power goes: whatever was not flushed is lost, whoever worked in the folder is dead, and the disk is mounted again. */
  cutPower(): void
  remove(): void
}

export function makePowerCutDisk(): PowerCutDisk {
  const home = mkdtempSync(join(tmpdir(), 'foyer-disk-'))
  const [image, folder] = [join(home, 'image'), join(home, 'disk')]
  mkdirSync(folder)
  run('truncate', '--size', DISK_SIZE, image)
  run('mkfs.ext4', '-q', '-F', image)
  run('mount', '-o', 'loop', image, folder)
  return {
    folder,
    cutPower() {
      run('perl', '-e', SHUTDOWN, folder)
      killThoseIn(folder)
      run('umount', folder)
      run('mount', '-o', 'loop', image, folder)
    },
    remove() {
      killThoseIn(folder)
      run('umount', folder)
      rmSync(home, { recursive: true })
    },
  }
}

/** Why this machine cannot make such a disk; false where it can. */
export const withoutPowerCuts: string | false = reasonAgainst()

function reasonAgainst(): string | false {
  try {
    const disk = makePowerCutDisk()
    try {
      disk.cutPower()
    } finally {
      disk.remove()
    }
    return false
  } catch (error) {
    return `no power can be cut here, which takes root, loop devices, mkfs.ext4 and perl: ${error}`
  }
}

/** Processes that stand in the folder or hold a file of it, as the server and PostgreSQL do, until none is left. */
function killThoseIn(folder: string): void {
  const deadline = Date.now() + 30_000
  for (let pids = pidsIn(folder); pids.length > 0; pids = pidsIn(folder)) {
    if (Date.now() > deadline) throw new Error(`processes ${pids.join()} stay in ${folder}`)
    for (const pid of pids) run('sh', '-c', 'kill -KILL "$1" 2>/dev/null || true', 'sh', pid)
  }
}

function pidsIn(folder: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => placesOf(pid).some((place) => place.startsWith(`${folder}/`)))
}

/** The working folder and the open files of a process; none once it has ended. */
function placesOf(pid: string): string[] {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).map((name) => `fd/${name}`)
    return ['cwd', ...files].map((name) => linkOf(`/proc/${pid}/${name}`))
  } catch {
    return []
  }
}

/** It may have been closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
