import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePicture } from '#test/media/pictures.ts'
import { openWorkbench } from '#test/media/workbench.ts'
import { CONFINED_ID } from './confinement.ts'
import { ProcessPool } from './process-pool.ts'

const isRoot = process.getuid?.() === 0
const onLinux = { skip: process.platform === 'linux' ? false : 'it looks into /proc' }

function childPid(): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  const pids = lines.flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s+[^Z]\S*\s.*media\/child\.ts/.exec(line) ?? []
    return Number(parent) === process.pid ? [Number(pid)] : []
  })
  assert.equal(pids.length, 1)
  return pids[0] ?? 0
}

/** The nice values of all threads of a process. */
function nicenessOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may contain anything. The 19th is the nice value.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}

test(
  'MEDIA-10: a process that examines files has its own user, no capabilities, and can get none',
  onLinux,
  async () => {
    await using bench = await openWorkbench()
    await bench.examine('hello')
    const status = readFileSync(`/proc/${childPid()}/status`, 'utf8')
    const own = isRoot ? CONFINED_ID : process.getuid?.()
    for (const kind of ['Uid', 'Gid']) {
      const ids = new RegExp(`^${kind}:\\s+(.+)$`, 'm').exec(status)?.[1]?.split('\t').map(Number)
      assert.deepEqual(new Set(ids), new Set([kind === 'Gid' && !isRoot ? process.getgid?.() : own]))
    }
    if (isRoot) assert.match(status, /^Groups:\s*$/m)
    if (isRoot) assert.match(status, /^CapEff:\s+0+$/m)
    assert.ok(existsSync('/usr/bin/setpriv') || existsSync('/bin/setpriv'), 'setpriv of util-linux is there')
    assert.match(status, /^NoNewPrivs:\s+1$/m)
  },
)

test(
  'MEDIA-10: a compromised process reads no secret, connects to nothing, and runs nothing',
  onLinux,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-nosy-'))
    const secret = join(folder, 'secret.key')
    const picture = join(folder, 'secret.png')
    await writeFile(secret, 'a secret', { mode: 0o600 })
    await writeFile(picture, await makePicture({ format: 'png' }), { mode: 0o600 })
    await mkdir(join(folder, 'tmp'))
    type Found = Record<string, string>
    const pool = new ProcessPool<object, Found>({
      url: new URL('../../../test/media/nosy-child.ts', import.meta.url),
      isResult: (value): value is Found => typeof value === 'object',
      folder: join(folder, 'tmp', 'own'),
      hasAddons: true,
    })
    const outcome = await pool.run({ secret, picture }, 'sender')
    pool.close()
    await rm(folder, { recursive: true })
    assert.deepEqual(outcome, {
      kind: 'done',
      result: {
        secret: 'ERR_ACCESS_DENIED',
        // The folder of a server that is not root is listed by its own user.
        folder: isRoot ? 'EACCES' : 'done',
        link: 'ERR_ACCESS_DENIED',
        program: 'ERR_ACCESS_DENIED',
        connection: 'ERR_ACCESS_DENIED',
        picture: isRoot ? 'refused' : '60',
      },
    })
  },
)

test('MEDIA-10: a file lent to a process belongs to the server again afterwards', onLinux, async () => {
  await using bench = await openWorkbench()
  const { path } = await bench.examine(await makePicture({ format: 'png' }))
  for (const file of [path, path.replace(/\.new$/, '')]) {
    const { uid, gid, mode } = await stat(file)
    assert.deepEqual([uid, gid], [process.getuid?.(), process.getgid?.()])
    if (isRoot) assert.equal(mode & 0o777, 0o600)
  }
})

test(
  'MEDIA-11: all threads of a process that examines files run at a lower priority than the server',
  onLinux,
  async () => {
    await using bench = await openWorkbench()
    await bench.examine(await makePicture({ format: 'png' }))
    const niceness = nicenessOf(childPid())
    assert.ok(niceness.length > 1, 'there are threads')
    assert.deepEqual(new Set(niceness), new Set([Math.min(19, getPriority() + 10)]))
  },
)
