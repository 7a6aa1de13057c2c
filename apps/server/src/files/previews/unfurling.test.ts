import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Embed } from '@foyer/protocol/embeds'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { answering, pageOf, serving } from '#test/scenes/pages.ts'
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

const at = (path: string) => `http://127.0.0.1:${target.port}${path}`

function look(listener: RequestListener, path = '/page'): Promise<Unfurled> {
  answer = listener
  return unfurl({ outgoing, pages }, at(path), AbortSignal.timeout(60_000))
}

async function embedOf(listener: RequestListener): Promise<Embed> {
  const unfurled = await look(listener)
  assert.ok(unfurled.kind === 'embed', unfurled.kind)
  return unfurled.embed
}

const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`

test('PREVIEW-3: Open Graph comes first', async () => {
  const head = [
    '<title>HTML</title><meta name=description content="of HTML"><meta name="theme-color" content="#0F8">',
    meta('og:title', 'Tea &amp; &lt;cake&gt;'),
    meta('og:description', 'All\n about  it'),
    meta('og:site_name', 'The House'),
    meta('og:image', '/images/tea.png?a=b&amp;c=d'),
    meta('twitter:title', 'Twitter'),
    meta('og:title', 'Second'),
  ].join('\n')
  assert.deepEqual(await embedOf(serving(pageOf(head))), {
    type: 'link',
    url: at('/page'),
    title: 'Tea & <cake>',
    description: 'All about it',
    color: 0x00ff88,
    timestamp: null,
    site_name: 'The House',
    author: null,
    image: null,
    video: null,
    thumbnail: {
      url: at('/images/tea.png?a=b&c=d'),
      content_type: null,
      width: null,
      height: null,
      attachment_id: null,
    },
    fields: [],
    footer: null,
  })
})

test('PREVIEW-3: Twitter cards come next, then HTML; a page without any has no preview', async () => {
  const card =
    '<meta name="twitter:card" content="summary_large_image"><meta name="twitter:image" content="http://x.example/a.png">'
  const twitter = await embedOf(serving(pageOf(`${card}<meta name="twitter:title" content="From a card">`)))
  assert.deepEqual(
    [twitter.title, twitter.image?.url, twitter.thumbnail],
    ['From a card', 'http://x.example/a.png', null],
  )
  const html = await embedOf(serving('<TITLE>Old\n page</TITLE><META NAME=Description CONTENT=short>'))
  assert.deepEqual([html.title, html.description], ['Old page', 'short'])
  for (const page of [
    '',
    'just text',
    pageOf(''),
    pageOf('<title> </title>'),
    pageOf('', '<title>In the body</title>'),
  ])
    assert.deepEqual(await look(serving(page)), { kind: 'nothing' }, page)
})

test('PREVIEW-3: texts are one line each, cut, without control characters and direction marks', async () => {
  const long = `${'long '.repeat(3000)}`
  const head = `<title>${'😀'.repeat(300)}</title>${meta('og:description', long)}${meta('og:site_name', 'a\u0000b\u202e\u2067c\ud800 d\u200b')}`
  const { title, description, site_name } = await embedOf(serving(Buffer.from(pageOf(head))))
  assert.equal([...(title ?? '')].length, 256)
  assert.ok(title?.endsWith('😀…'))
  assert.ok((description ?? '').length <= 350 && description?.endsWith('long…'))
  assert.equal(site_name, 'a b c� d')
})

test('PREVIEW-3: addresses are resolved against the page, and only http ones are kept', async () => {
  const moved = answering({
    '/page': (_request, response) => response.writeHead(302, { location: '/deep/down/page' }).end(),
    '/deep/down/page': serving(pageOf(`<title>x</title>${meta('og:image', '../a.png')}`)),
  })
  const embed = await embedOf(moved)
  assert.deepEqual([embed.url, embed.thumbnail?.url], [at('/page'), at('/deep/a.png')])
  for (const bad of [
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'http://a:b@c.example/',
    'http://',
  ]) {
    const { thumbnail, video } = await embedOf(
      serving(pageOf(`<title>x</title>${meta('og:image', bad)}${meta('og:video', bad)}`)),
    )
    assert.deepEqual([thumbnail, video], [null, null], bad)
  }
})

test('PREVIEW-3: a video must be directly playable', async () => {
  const film =
    meta('og:video', 'https://v.example/film.mp4') +
    meta('og:video:width', '640') +
    meta('og:video:height', '360')
  const embed = await embedOf(
    serving(pageOf(`${meta('og:title', 'Film')}${film}${meta('og:video:type', 'video/mp4')}`)),
  )
  assert.deepEqual(
    [embed.type, embed.video?.url, embed.video?.content_type, embed.video?.width, embed.video?.height],
    ['video', 'https://v.example/film.mp4', 'video/mp4', 640, 360],
  )
  const frame = meta('og:video', 'https://v.example/embed/1') + meta('og:video:type', 'text/html')
  assert.equal((await embedOf(serving(pageOf(`${meta('og:title', 'Film')}${frame}`)))).video, null)
})

test('PREVIEW-3: oEmbed adds author and provider; its HTML and its errors are ignored', async () => {
  const page = pageOf(
    '<title>Film</title><link rel="alternate" type="application/json+oembed" href="/oembed?x=1">',
  )
  const oembed = {
    type: 'video',
    author_name: 'Ada',
    author_url: 'https://example.org/ada',
    provider_name: 'Films',
    thumbnail_url: 'https://example.org/film.png',
    html: '<script>alert(1)</script>',
  }
  const embed = await embedOf(
    answering({ '/page': serving(page), '/oembed': serving(JSON.stringify(oembed), 'application/json') }),
  )
  assert.deepEqual(
    [embed.title, embed.site_name, embed.author, embed.thumbnail?.url],
    [
      'Film',
      'Films',
      { name: 'Ada', url: 'https://example.org/ada', icon_url: null },
      'https://example.org/film.png',
    ],
  )
  assert.ok(!JSON.stringify(embed).includes('<script'))
  for (const bad of ['{', '[]', 'null', '{"author_name": {"a": 1}}', 'x'.repeat(100_000)]) {
    const { title, author } = await embedOf(answering({ '/page': serving(page), '/oembed': serving(bad) }))
    assert.deepEqual([title, author], ['Film', null], bad.slice(0, 20))
  }
  assert.equal((await embedOf(answering({ '/page': serving(page) }))).title, 'Film')
})

test('PREVIEW-4: pictures, videos and audio are shown as they are; other files are not', async () => {
  const shown: [type: string, kind: string, part: 'image' | 'video'][] = [
    ['image/png', 'image', 'image'],
    ['video/webm', 'video', 'video'],
    ['audio/mpeg', 'video', 'video'],
  ]
  for (const [type, kind, part] of shown) {
    const embed = await embedOf(serving('bytes', type))
    assert.deepEqual([embed.type, embed[part]?.url, embed[part]?.content_type], [kind, at('/page'), type])
  }
  for (const type of [
    'image/svg+xml',
    'text/plain',
    'application/pdf',
    'application/json',
    'video/x-flv',
    '',
  ])
    assert.deepEqual(await look(serving('bytes', type)), { kind: 'nothing' }, type)
})

const windows1251 = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
const inBytes = (before: string, middle: Buffer, after: string) =>
  Buffer.concat([Buffer.from(before, 'latin1'), middle, Buffer.from(after, 'latin1')])

test('PREVIEW-6: every character set is read, as far as possible', async () => {
  const sjis = Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<title>Привет</title>', 'utf16le')])
  const cases: [Buffer, string, string][] = [
    [inBytes('<title>', windows1251, '</title>'), 'text/html; charset=windows-1251', 'Привет'],
    [inBytes('<meta charset=windows-1251><title>', windows1251, '</title>'), 'text/html', 'Привет'],
    [
      inBytes(
        '<meta http-equiv=Content-Type content="text/html; charset=shift_jis"><title>',
        sjis,
        '</title>',
      ),
      'text/html',
      'テスト',
    ],
    [utf16, 'text/html; charset=utf-8', 'Привет'],
    [Buffer.from('<meta charset=utf-16><title>Grüße</title>'), 'text/html', 'Grüße'],
    [Buffer.from('<title>Grüße</title>'), 'text/html; charset="no-such-set"', 'Grüße'],
    [inBytes('<title>a', Buffer.from([0xff, 0xc3]), 'b</title>'), 'text/html', 'a��b'],
  ]
  for (const [bytes, type, title] of cases)
    assert.equal((await embedOf(serving(bytes, type))).title, title, type)
})

test('PREVIEW-6: a page that is encoded without being asked is read, too', async () => {
  const page = Buffer.from(pageOf('<title>Squeezed</title>'))
  const encoded = { gzip: gzipSync(page), deflate: deflateSync(page), br: brotliCompressSync(page) }
  for (const [encoding, bytes] of Object.entries(encoded)) {
    const embed = await embedOf((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(bytes),
    )
    assert.equal(embed.title, 'Squeezed', encoding)
  }
  assert.equal(target.requests.at(-1)?.headers['accept-encoding'], 'identity')
  assert.match(target.requests.at(-1)?.headers['user-agent'] ?? '', /Foyer/)
})
