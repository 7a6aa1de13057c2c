import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { pageOf, serving } from '#test/scenes/pages.ts'
import { Pages } from './pages.ts'
import { type Unfurled, unfurl } from './unfurling.ts'

let target: HttpTarget
let outgoing: Outgoing
let pages: Pages
let answer: RequestListener

before(async () => {
  target = await startTarget((request, response) => answer(request, response))
  outgoing = new Outgoing({ allowedPrivateHosts: ['127.0.0.1'] })
  pages = new Pages()
})
after(async () => {
  pages.close()
  await outgoing.close()
  await target.close()
})

function look(listener: RequestListener, signal = AbortSignal.timeout(60_000)): Promise<Unfurled> {
  answer = listener
  return unfurl({ outgoing, pages }, `http://127.0.0.1:${target.port}/page`, signal)
}

const titleOf = (unfurled: Unfurled) => (unfurled.kind === 'embed' ? unfurled.embed.title : unfurled.kind)

/** Serves `more` after the beginning without end, as fast as it is read. Reports when reading stops. */
function endless(beginning: string | Buffer, more: Buffer, headers: Record<string, string> = {}) {
  const ended = Promise.withResolvers<number>()
  const listener: RequestListener = (_request, response) => {
    let sent = 0
    response.writeHead(200, { 'content-type': 'text/html', ...headers })
    response.write(beginning)
    const feed = () => {
      do sent += more.length
      while (response.write(more) && sent < 1e9)
    }
    response.on('drain', feed).once('close', () => ended.resolve(sent))
    feed()
  }
  return { listener, ended: ended.promise }
}

test('PREVIEW-6: an endless page is read up to the end of its head, or half a megabyte', async () => {
  const withHead = endless(pageOf('<title>Endless</title>'), Buffer.alloc(16_384, 'x'))
  assert.equal(titleOf(await look(withHead.listener)), 'Endless')
  assert.ok((await withHead.ended) < 64 * 1024 * 1024)
  const noHead = endless('<title>Title', Buffer.alloc(16_384, 'x'))
  assert.match(titleOf(await look(noHead.listener)) ?? '', /^Titlex+…$/)
  assert.ok((await noHead.ended) < 64 * 1024 * 1024)
})

test('PREVIEW-6: a compression bomb is decompressed only up to the limit', async () => {
  const bomb = gzipSync(
    Buffer.concat([Buffer.from('<title>Bomb</title><head>'), Buffer.alloc(128 * 1024 * 1024, ' ')]),
  )
  const listener: RequestListener = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb)
  const before = process.memoryUsage().rss
  assert.equal(titleOf(await look(listener)), 'Bomb')
  assert.ok(process.memoryUsage().rss - before < 96 * 1024 * 1024)
  for (const headers of [{ 'content-encoding': 'gzip' }, { 'content-encoding': 'zstd, gzip' }]) {
    const lie: RequestListener = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', ...headers })
        .end(pageOf('<title>Not packed</title>'))
    assert.equal(titleOf(await look(lie)), 'nothing')
  }
})

test('PREVIEW-6: millions of tags and endless nesting cost no more than a page', async () => {
  const pages = [
    `<title>Metas</title>${'<meta name=a content=b>'.repeat(20_000)}`,
    `<title>Depth</title>${'<b>'.repeat(80_000)}${'</x>'.repeat(60_000)}`,
    `<title>Attributes</title><meta ${Array.from({ length: 60_000 }, (_, at) => `a${at}=b`).join(' ')}>`,
    `<title>Forms</title>${'<form>'.repeat(60_000)}`,
    `<title>Svgs</title>${'<svg><title>'.repeat(40_000)}`,
    `<title>Entities</title>${'&amp;'.repeat(100_000)}`,
    `<title>Quotes</title><meta content="${'x'.repeat(500_000)}`,
    `<title>Zeros</title>${'\0'.repeat(400_000)}`,
  ]
  const began = process.cpuUsage()
  for (const page of pages) {
    const title = titleOf(await look(serving(page)))
    assert.equal(title, page.slice('<title>'.length, page.indexOf('</')))
  }
  const { user } = process.cpuUsage(began)
  // Quadratic time would take minutes for each.
  assert.ok(user < 60_000_000, `${user}`)
})

test('PREVIEW-6: a header of blanks costs no more than any other', async () => {
  const began = process.cpuUsage()
  for (const value of ['text/html; charset=', 'text/html;charset', 'text/html; charset="'])
    for (let times = 0; times < 30; times += 1)
      assert.equal(
        titleOf(
          await look(
            serving(pageOf('<title>Blank</title>'), `${value}${' '.repeat(15_500 - value.length)}!`),
          ),
        ),
        'Blank',
      )
  // Quadratic time is 300 ms for each of them.
  assert.ok(process.cpuUsage(began).user < 3_000_000)
})

test('PREVIEW-6: a deliberately slow host is given up, and what arrived until then may be used', async () => {
  const drip = (beginning: string): RequestListener => {
    return (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(beginning)
      const timer = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(timer))
    }
  }
  const refused = new Error('too long')
  const late = new AbortController()
  const dripping = look(drip('<title>Slow'), late.signal)
  const refusal = assert.rejects(dripping, (error) => error === refused)
  await until(() => target.requests.length > 0)
  late.abort(refused)
  await refusal
  assert.equal(titleOf(await look(drip(pageOf('<title>Dripping</title>')))), 'Dripping')
  let hanging: ServerResponse | undefined
  const cut: RequestListener = (_request, response) => {
    hanging = response
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': 10_000 })
    response.write('<title>Cut</title>', () => setImmediate(() => response.destroy()))
  }
  assert.equal(titleOf(await look(cut)), 'Cut')
  assert.ok(hanging?.destroyed)
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

test('PREVIEW-6: links into the private network, in circles, and to failing hosts have no preview', async () => {
  const redirect = (location: string): RequestListener => {
    return (_request, response) => response.writeHead(302, { location }).end()
  }
  const secret: string[] = []
  const inside = await startTarget((request, response) => {
    secret.push(request.url ?? '')
    response.end('<title>Secret</title>')
  }, '127.0.0.2')
  const page = `http://127.0.0.2:${inside.port}/`
  const none: [RequestListener, string][] = [
    [redirect(page), 'nothing'],
    [redirect('http://169.254.169.254/latest/meta-data/'), 'nothing'],
    [redirect('file:///etc/passwd'), 'nothing'],
    [redirect('/page'), 'nothing'],
    [serving(pageOf('<title>No</title>'), 'application/octet-stream'), 'nothing'],
    [
      (_request, response) =>
        response.writeHead(403, { 'content-type': 'text/html' }).end(pageOf('<title>No</title>')),
      'nothing',
    ],
    [(_request, response) => response.writeHead(503).end(), 'trouble'],
    [(request) => request.socket.destroy(), 'trouble'],
  ]
  for (const [listener, kind] of none) assert.equal((await look(listener)).kind, kind)
  const oembed = `<title>Page</title><link rel=alternate type=application/json+oembed href="${page}oembed">`
  assert.equal(titleOf(await look(serving(pageOf(oembed)))), 'Page')
  assert.deepEqual(secret, [])
  await inside.close()
  const inward = await unfurl({ outgoing, pages }, 'http://10.0.0.1/', AbortSignal.timeout(60_000))
  assert.equal(inward.kind, 'nothing')
})

test('PREVIEW-6: an answer that is given up is read no further', async () => {
  const picture = endless('', Buffer.alloc(16_384), { 'content-type': 'image/png' })
  assert.equal((await look(picture.listener)).kind, 'embed')
  assert.ok((await picture.ended) < 64 * 1024 * 1024)
})
