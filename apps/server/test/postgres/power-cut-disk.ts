import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Size of the disk image. The file is sparse: only written blocks take space. */
const DISK_SIZE = '1G'
/**
 * Perl program that shuts down an ext4 file system at once and drops the part of its journal that is only in memory:
 * EXT4_IOC_SHUTDOWN with NOLOGFLUSH. Every Debian has Perl.
 */
const SHUTDOWN =
  'open(my $folder, "<", $ARGV[0]) or die $!; my $flag = pack("L", 2); ioctl($folder, 0x8004587d, $flag) or die $!'

/** A disk whose power can be cut. */
export interface PowerCutDisk {
  /** Mount point. */
  folder: string
  /**
   * Cuts the power: drops everything not flushed, kills all processes that use the folder, and mounts the disk again.
   */
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

/** Reason why this machine cannot make such a disk, or false. */
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

/** Kills the processes that work in the folder or have a file of it open, such as the server and PostgreSQL. */
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

/** Returns the working directory and the open files of a process, or nothing if it has ended. */
function placesOf(pid: string): string[] {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).map((name) => `fd/${name}`)
    return ['cwd', ...files].map((name) => linkOf(`/proc/${pid}/${name}`))
  } catch {
    return []
  }
}

/** Returns an empty string if the file has been closed by now. */
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
