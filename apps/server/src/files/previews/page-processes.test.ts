import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, beforeEach, test } from 'node:test'
import type { PageJob } from './page-jobs.ts'
import { Pages } from './pages.ts'

const job: PageJob = {
  link: 'https://pages.example/a',
  url: 'https://pages.example/a',
  contentType: 'text/html',
  encoding: '',
  bytes: Buffer.from('<title>A page</title>'),
  oembed: null,
}

let pages: Pages
let signal: AbortSignal
before(() => {
  pages = new Pages({ deadlineMs: 3000, processes: 1 })
})
beforeEach(() => {
  signal = AbortSignal.timeout(60_000)
})
after(() => pages.close())

/** Returns the page processes of this process. */
function readers(): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+[^Z]\S*\s.*page-child\.ts/.exec(line))
    .filter((match) => Number(match?.[2]) === process.pid)
    .map((match) => Number(match?.[1]))
}

/** Returns the busy page process. Never 0, which would signal this process's group. */
function readerOf(): number {
  const [reader] = readers()
  assert.ok(reader !== undefined)
  return reader
}

const titleOf = async (other: Partial<PageJob> = {}) =>
  (await pages.read({ ...job, ...other }, signal)).embed?.title

test('PREVIEW-11: a page is read in a separate process, and the next one in the same', async () => {
  assert.equal(await titleOf(), 'A page')
  const first = readers()
  assert.equal(first.length, 1)
  assert.equal(await titleOf({ bytes: Buffer.from('<title>Another') }), 'Another')
  assert.deepEqual(readers(), first)
})

test('PREVIEW-11: a page that hangs its process has no preview, and the next page is read by another process', async () => {
  await titleOf()
  const reader = readerOf()
  process.kill(reader, 'SIGSTOP')
  assert.deepEqual(await pages.read(job, signal), { embed: null, oembed: null, isWhole: true })
  assert.equal(await titleOf(), 'A page')
  assert.ok(!readers().includes(reader))
})

test('PREVIEW-11: a page whose process is lost by accident is read once more', async () => {
  await titleOf()
  const reader = readerOf()
  process.kill(reader, 'SIGSTOP')
  const title = titleOf()
  process.kill(reader, 'SIGKILL')
  assert.equal(await title, 'A page')
})

test('PREVIEW-11: the caller waits no longer than requested', async () => {
  await titleOf()
  process.kill(readerOf(), 'SIGSTOP')
  const late = new AbortController()
  const reading = assert.rejects(pages.read(job, late.signal), /too long/)
  late.abort(new Error('too long'))
  await reading
  assert.equal(await titleOf(), 'A page')
})

test('PREVIEW-11: a process cannot add what a page does not contain', async () => {
  const { embed } = await pages.read(
    { ...job, bytes: Buffer.from('<meta name=theme-color content=#fff>') },
    signal,
  )
  assert.equal(embed, null)
  assert.equal(await titleOf({ bytes: Buffer.from('<title>Cut'), encoding: 'gzip' }), undefined)
})
