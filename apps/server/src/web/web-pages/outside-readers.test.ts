import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { runProgram, withoutPrograms } from '#test/outside/programs.ts'
import { structuredDataOf } from '#test/outside/structured-data.ts'
import { makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { note, putUpload } from '#test/scenes/messages.ts'
import type { Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startWebPages } from '#test/scenes/web-pages.ts'
import type { TestServer } from '#test/server.ts'
import { monthOf } from './making/paths.ts'

let server: TestServer
let owner: Person
let eve: Person
let space: TestSpace
/** Addresses of all pages, and of all feeds and sitemaps. */
let pages: readonly string[]
let documents: readonly string[]

/** Something of everything that a message can have. */
const texts = [
  '# A heading\n> a quote\n> in two lines\n\n1. one\n2. two\n   - inner\n\n```js\nif (a < b && c) {}\n```',
  '**bold ||and hidden||** *italic* __underlined__ ~~struck~~ `code` ||a spoiler|| :smile: https://example.org/?a=1&b=2',
  '<b>no HTML</b> & "quotes" \'here\' ]]> <!-- -->',
  '||**all** hidden||\n||```\nfenced\n```||',
  '[a link](https://example.org/path_(with)_brackets) and @everyone',
  '> - a list in a quote\n> - ||with a spoiler||\n\n- a list\n- \n- > a quote in a list',
  'Grüße, 日本語, العربية, 👩‍👩‍👧, e\u0301, \u202eturned\u202c',
  '||',
  '```\n```',
]

before(async () => {
  ;({ server, owner, eve } = await startWebPages())
  space = await makeSpace(owner, [eve])
  await owner.client.spaces.update(space.id, { description: 'For "tea" & <more>' })
  const thread = await fillRoom()
  const [forum, posts] = await fillForum()
  const room = `/read/${space.id}/${space.general}`
  const rooms = [room, `/read/${space.id}/${forum}`]
  const months = rooms.map((path) => `${path}/${monthOf(Date.now())}`)
  const threads = [`${room}/t/${thread}`, ...posts.map((id) => `/read/${space.id}/${forum}/t/${id}`)]
  const [next = ''] = (await textOf(months[0] ?? '')).match(/[^"]*\?after=[^"]*/) ?? []
  pages = [`/read/${space.id}`, ...rooms, ...months, ...threads, next, '/read/x']
  documents = ['/sitemap.xml', ...rooms.flatMap((path) => [`${path}/feed.atom`, `${path}/sitemap.xml`])]
})
after(() => server.close())

/** Fills a room with more than a page. Returns a thread of it. */
async function fillRoom(): Promise<string> {
  const { general } = space
  await owner.client.api(WebRooms).open(general)
  await eve.client.users.updateMe({ web_presence: 'name' })
  const first = await eve.client.messages.create(general, { content: 'The first words.' })
  // linkchecker waits about 0.3 s before each address, and each message has one.
  await eve.client.messages.create(general, { content: texts.join('\n\n') })
  await owner.client.messages.create(general, { content: `<@${eve.id}> in <#${general}> <@&${space.id}>` })
  await eve.client.messages.create(general, {
    content: 'Files',
    attachment_ids: [
      await putUpload(eve, general, note('contents')),
      await putUpload(eve, general, await png()),
    ],
  })
  for (let index = 0; index < 6; index += 1)
    await eve.client.messages.create(general, { content: 'long words '.repeat(360) })
  const reply = await owner.client.messages.create(general, {
    content: 'A reply.',
    reference: { type: 0, message_id: first.id },
  })
  await eve.client.messages.create(general, {
    content: 'A near reply.',
    reference: { type: 0, message_id: reply.id },
  })
  const { id } = await startThread(eve, general, { title: 'Tea <&> milk', content: 'Which first?' })
  await owner.client.messages.create(id, { content: 'Milk.' })
  return id
}

/** Returns a forum and posts without answers, with one, and with an accepted one. */
async function fillForum(): Promise<[forum: string, posts: string[]]> {
  const forum = await makeForum(owner, space, { tags: [{ name: 'bread' }] })
  await owner.client.api(WebRooms).open(forum.id)
  const tags = [tagOf(forum, 'bread')]
  const [alone, open, solved] = [
    await makePost(eve, forum.id, 'Nobody knows', { tags }),
    await makePost(eve, forum.id, 'Some know', { tags }),
    await makePost(eve, forum.id, 'How do I bake?', { tags }),
  ]
  await owner.client.messages.create(open.id, { content: texts.join('\n') })
  const answer = await owner.client.messages.create(solved.id, { content: 'With **rye**.' })
  await eve.client.messages.create(solved.id, { content: 'Thanks.' })
  await eve.call('PUT', `/api/threads/${solved.id}/solution`, { message_id: answer.id })
  return [forum.id, [alone.id, open.id, solved.id]]
}

async function textOf(path: string): Promise<string> {
  return (await fetch(new URL(path, server.url))).text()
}

/** Tidy is older than this attribute. */
const UNKNOWN_TO_TIDY = /^line .* <img> proprietary attribute "loading"\n/gm

/** Returns the warnings of HTML Tidy about these addresses. An empty item of a list is what its author wrote. */
async function untidy(paths: readonly string[], ...more: readonly string[]): Promise<string[]> {
  const args = ['-quiet', '-errors', '-utf8', '--drop-empty-elements', 'no', ...more]
  const warnings: string[] = []
  for (const path of paths) {
    const { stderr } = await runProgram('tidy', args, await textOf(path))
    const found = stderr.replace(UNKNOWN_TO_TIDY, '')
    if (found !== '') warnings.push(`${path}: ${found}`)
  }
  return warnings
}

test('WEBPAGE-17: HTML Tidy has no warning about any page', { skip: withoutPrograms('tidy') }, async () => {
  assert.deepEqual(await untidy(pages), [])
})

test('WEBPAGE-17: feeds and sitemaps are well-formed', { skip: withoutPrograms('tidy') }, async () => {
  assert.deepEqual(await untidy(documents, '-xml'), [])
})

test('WEBPAGE-17: linkchecker finds no broken link, and no anchor that is not there', {
  skip: withoutPrograms('linkchecker'),
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-links-'))
  try {
    // It gives up root's rights, and reads its settings afterwards.
    await chmod(folder, 0o755)
    const settings = join(folder, 'linkcheckerrc')
    await writeFile(settings, '[checking]\nmaxrequestspersecond=10000\n[AnchorCheck]\n')
    // The web client's own files are there once it is built.
    const args = ['-f', settings, '--no-status', '--ignore-url', 'favicon\\.svg', '-o', 'text', '--verbose']
    const { status, stdout, stderr } = await runProgram('linkchecker', [
      ...args,
      `${server.url}/read/${space.id}`,
    ])
    assert.equal(status, 0, stdout + stderr)
    const checked = Number(/(\d+) links in \d+ URLs checked/.exec(stdout)?.[1])
    assert.ok(checked > 40, stdout.slice(-500))
    for (const part of ['/t/', 'feed.atom', '/files/', '?after=', '?at=', '#m-'])
      assert.ok(stdout.includes(part), `no link with ${part}`)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('WEBPAGE-17: w3m shows names, texts and links in their order', {
  skip: withoutPrograms('w3m'),
}, async () => {
  const dump = async (path: string) => {
    const args = ['-dump', '-cols', '80', '-no-cookie', '-I', 'UTF-8', '-O', 'UTF-8', '-T', 'text/html']
    return (await runProgram('w3m', args, await textOf(path))).stdout
  }
  const month = await dump(pages[3] ?? '')
  const order = [
    'Tea',
    '#general',
    'eve',
    'The first words.',
    'A heading',
    'a quote',
    '1. one',
    'if (a < b && c) {}',
    '<b>no HTML</b>',
    'Grüße, 日本語',
    '@eve in #general',
    'note.txt',
    'Later',
  ]
  const places = order.map((part) => month.indexOf(part))
  assert.ok(!places.includes(-1), `${order[places.indexOf(-1)]} is not in\n${month}`)
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
    month,
  )
  assert.match(
    await dump(pages.at(-3) ?? ''),
    /How do I bake\?[\s\S]*eve[\s\S]*owner[\s\S]*✓ Answer[\s\S]*With rye\./,
  )
})

test('WEBPAGE-17: the microdata is what schema.org and search engines take', async () => {
  const types = new Set<string>()
  for (const path of pages) {
    const { types: found, faults } = await structuredDataOf(await textOf(path))
    assert.deepEqual(faults, [], path)
    for (const type of found) types.add(type)
  }
  for (const type of ['DiscussionForumPosting', 'Comment', 'QAPage', 'Question', 'Answer', 'Person'])
    assert.ok(types.has(type), type)
})

test('WEBPAGE-17: the check of microdata finds what is wrong', async () => {
  const wrong = `<div itemscope itemtype="https://schema.org/QAPage"><div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question">
    <p itemprop="name">Why?</p><p itemprop="answerCount">some</p><p itemprop="colour">red</p></div></div>`
  const { faults } = await structuredDataOf(wrong)
  assert.ok(faults.some((fault) => fault.includes('no property colour')))
  assert.ok(faults.some((fault) => fault.includes('lacks acceptedAnswer')))
  assert.ok(faults.some((fault) => fault.includes('answerCount must be integer')))
})
