import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { makePicture } from '#test/media/pictures.ts'
import { anything, openWorkbench } from '#test/media/workbench.ts'
import { localProcesses, type RemoteFile } from './media.ts'

/** Reading it takes until it is allowed. */
function heldRemote() {
  const asked = Promise.withResolvers<void>()
  const allowed = Promise.withResolvers<void>()
  const remote: RemoteFile = {
    sizeBytes: 5,
    async read() {
      asked.resolve()
      await allowed.promise
      return Buffer.from('hello')
    },
  }
  return { remote, asked: asked.promise, allow: allowed.resolve }
}

/** The children of a process that look at files. */
function childrenOf(parent = process.pid): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+[^Z]\S*\s.*media\/(?:busy-)?child\.ts/.exec(line))
    .filter((match) => Number(match?.[2]) === parent)
    .map((match) => Number(match?.[1]))
}

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout.trim())
}

async function end(pids: readonly number[], withinMs = 60_000): Promise<void> {
  const until = performance.now() + withinMs
  while (pids.some(isRunning)) {
    assert.ok(performance.now() < until, `${pids} still run`)
    await sleep(20)
  }
}

async function sizeOf(path: string): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  return size
}

/** The children of a process once there are so many. */
async function awaitChildren(count: number, parent = process.pid, withinMs = 30_000): Promise<number[]> {
  const until = performance.now() + withinMs
  let pids = childrenOf(parent)
  while (pids.length < count) {
    assert.ok(performance.now() < until, `${pids.length} of ${count} children`)
    await sleep(5)
    pids = childrenOf(parent)
  }
  return pids
}

/** Returns the children, which must soon be so few. On a busy machine, a killed child runs for some time. */
async function fewChildren(most: number, withinMs = 2000): Promise<number[]> {
  const until = performance.now() + withinMs
  let pids = childrenOf()
  while (pids.length > most) {
    assert.ok(performance.now() < until, `${pids.length} children, not ${most}`)
    await sleep(20)
    pids = childrenOf()
  }
  return pids
}

/**
 * Waits until the file grows, and returns the children. Lists them once, before it grows, because that takes as long as
 * writing a file.
 */
async function writersOf(path: string, withinMs = 30_000): Promise<number[]> {
  const pids = await awaitChildren(1)
  const until = performance.now() + withinMs
  while ((await sizeOf(path)) === 0) {
    assert.ok(performance.now() < until, `${path} stays empty`)
    await sleep(1)
  }
  return pids
}

/** A picture of one colour, which needs no buffers. */
const large = sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#357' } })
/** A picture that must be loaded as a whole to be rotated. Encoded once. */
const lyingJpeg = large.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer()

const small: RemoteFile = { sizeBytes: 5, read: async () => Buffer.from('hello') }
const text = { contentType: 'text/plain', width: null, height: null, animated: false }
const nothing = { ...text, contentType: 'application/octet-stream' }

test('MEDIA-9: a file whose process is lost by accident is examined once more', async () => {
  await using bench = await openWorkbench()
  const first = heldRemote()
  const facts = bench.media.examineRemote(first.remote, 'text/plain')
  await first.asked
  const [lost = 0] = childrenOf()
  process.kill(lost, 'SIGKILL')
  await end([lost])
  first.allow()
  assert.deepEqual(await facts, text)
})

test('MEDIA-9: a file that crashes two processes is of unknown type', async () => {
  await using bench = await openWorkbench()
  const killing: RemoteFile = {
    sizeBytes: 5,
    async read() {
      for (const pid of childrenOf()) process.kill(pid, 'SIGKILL')
      return Buffer.from('hello')
    },
  }
  assert.deepEqual(await bench.media.examineRemote(killing, 'text/plain'), nothing)
  assert.equal((await bench.examine('hello', anything('text/plain'))).contentType, 'text/plain')
})

test('MEDIA-9: a file that takes too long is given up, and the next one is not', async () => {
  await using bench = await openWorkbench({ deadlineMs: 2000, processes: 1 })
  const never = heldRemote()
  assert.deepEqual(await bench.media.examineRemote(never.remote, 'text/plain'), nothing)
  assert.equal((await bench.examine('hello', anything('text/plain'))).contentType, 'text/plain')
  const picture = await makePicture({ format: 'png' })
  for (const pid of childrenOf()) process.kill(pid, 'SIGSTOP')
  const wish = { kind: 'image', fit: { width: 9, height: 9 } } as const
  await assert.rejects(bench.examine(picture, wish), { code: 'image_too_complex' })
})

test('MEDIA-9: a picture that takes too much memory is given up without a second try', async () => {
  const picture = await lyingJpeg
  await using bench = await openWorkbench({ maxRssBytes: 200 * 1024 * 1024 })
  await assert.rejects(bench.examine(picture), { code: 'image_too_complex' })
  assert.equal((await bench.examine('hello', anything('text/plain'))).contentType, 'text/plain')
  await using roomy = await openWorkbench()
  assert.equal((await roomy.examine(picture)).width, 7000)
})

test('MEDIA-9: a process lost while it writes a picture leaves no file', async () => {
  await using bench = await openWorkbench()
  const picture = await large.clone().png({ compressionLevel: 1 }).toBuffer()
  const refused = assert.rejects(bench.examine(picture), { code: 'image_too_complex' })
  const out = join(bench.folder, '1.new')
  for (let tries = 0; tries < 2; tries += 1) {
    const pids = await writersOf(out)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await end(pids)
    // Before the second process begins to write: it has to start first.
    if (tries === 0) await truncate(out)
  }
  await refused
  assert.deepEqual(await readdir(bench.folder), ['1'])
})

test('MEDIA-9: a file is 503 when too many are waiting', async () => {
  await using bench = await openWorkbench({ processes: 1, waiting: 2 })
  const first = heldRemote()
  const running = bench.media.examineRemote(first.remote, 'text/plain')
  await first.asked
  const waiting = [1, 2].map(() => bench.media.examineRemote(small, 'text/plain'))
  await assert.rejects(bench.media.examineRemote(small, 'text/plain'), { code: 'unavailable', status: 503 })
  first.allow()
  for (const facts of await Promise.all([running, ...waiting])) assert.deepEqual(facts, text)
  assert.deepEqual(await bench.media.examineRemote(small, 'text/plain'), text)
})

test('MEDIA-9: a sender with many waiting files delays another by one', async () => {
  await using bench = await openWorkbench({ processes: 1 })
  const first = heldRemote()
  const done: string[] = []
  const examine = (sender: string, file = small) =>
    bench.media.examineRemote(file, 'text/plain', sender).then(() => done.push(sender))
  const all = [
    examine('a', first.remote),
    examine('a'),
    examine('a'),
    examine('a'),
    examine('b'),
    examine('c'),
  ]
  await first.asked
  first.allow()
  await Promise.all(all)
  assert.equal(done.join(''), 'aabcaa')
})

test('MEDIA-9: slow external storage delays no local file', async () => {
  await using bench = await openWorkbench({ processes: 1 })
  const slow = heldRemote()
  const remote = bench.media.examineRemote(slow.remote, 'text/plain')
  await slow.asked
  assert.equal((await bench.examine('hello', anything('text/plain'))).contentType, 'text/plain')
  slow.allow()
  assert.deepEqual(await remote, text)
})

test('MEDIA-9: the number of processes is limited, and each is replaced after a number of jobs', async () => {
  await using bench = await openWorkbench({ processes: 2, jobsOfOne: 3 })
  const seen = new Set<number>()
  const jobs = Array.from({ length: 12 }, async () => {
    await bench.examine('hello')
    for (const pid of await fewChildren(2)) seen.add(pid)
  })
  await Promise.all(jobs)
  assert.ok(seen.size >= 4, `${seen.size} processes`)
})

test('MEDIA-14: there is one process fewer than cores', async () => {
  assert.deepEqual([1, 2, 3, 16].map(localProcesses), [1, 1, 2, 2])
  await using bench = await openWorkbench()
  const picture = await makePicture({ format: 'png' })
  const seen = new Set<number>()
  const note = () => {
    for (const pid of childrenOf()) seen.add(pid)
  }
  await Promise.all(Array.from({ length: 6 }, () => bench.examine(picture).then(note)))
  assert.equal(seen.size, localProcesses(availableParallelism()))
})

test('MEDIA-9: a process without work ends', async () => {
  await using bench = await openWorkbench({ idleMs: 300 })
  await bench.examine('hello')
  const pids = childrenOf()
  assert.equal(pids.length, 1)
  await end(pids)
})

test('MEDIA-9: waiting files are 503 when the server stops, and the processes end', async () => {
  const bench = await openWorkbench({ processes: 1 })
  const first = heldRemote()
  const running = bench.media.examineRemote(first.remote, 'text/plain')
  await first.asked
  const pids = childrenOf()
  const refusals = [running, bench.examine('hello')].map((job) =>
    assert.rejects(job, { code: 'unavailable' }),
  )
  await bench[Symbol.asyncDispose]()
  await Promise.all(refusals)
  await end(pids)
  await assert.rejects(bench.examine('hello'))
})

test('MEDIA-9: the processes do not outlive a server that is killed', async () => {
  await using bench = await openWorkbench()
  const path = join(bench.folder, 'picture')
  await writeFile(path, await lyingJpeg)
  const code = `
    const { Media } = await import(${JSON.stringify(new URL('./media.ts', import.meta.url).href)})
    const media = new Media(${JSON.stringify(bench.folder)})
    media.examine(${JSON.stringify(path)}, { kind: 'any', claimedType: 'image/jpeg' })
    await media.examineRemote({ sizeBytes: 5, read: () => (console.log('asked'), new Promise(() => {})) }, 'text/plain')`
  const server = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  // The one for the picture may not have started yet.
  const pids = await awaitChildren(2, server.pid)
  server.kill('SIGKILL')
  await end(pids)
})

test('MEDIA-9: a process that is busy forever does not outlive a server that is killed', async (t) => {
  const [pool, child] = ['./process-pool.ts', '../../../test/media/busy-child.ts'].map((path) =>
    JSON.stringify(new URL(path, import.meta.url).href),
  )
  const code = `
    const { ProcessPool } = await import(${pool})
    const read = () => (console.log('asked'), new Promise(() => {}))
    await new ProcessPool({ url: new URL(${child}) }).run({}, 'sender', { sizeBytes: 5, read })`
  const server = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  const pids = await awaitChildren(1, server.pid)
  t.after(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL')
  })
  server.kill('SIGKILL')
  await end(pids)
})
