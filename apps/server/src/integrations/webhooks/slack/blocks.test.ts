import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import type { Webhook } from '@foyer/protocol/webhooks'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let space: TestSpace
let webhook: Webhook

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  webhook = await owner.client.webhooks.create(space.general, { name: 'Slack' })
})
after(() => server.close())

async function post(payload: object): Promise<Message> {
  const answer = await deliver(server, webhook, payload, { path: '/slack' })
  assert.deepEqual([answer.status, answer.text], [200, 'ok'])
  const [message] = await owner.client.messages.list(space.general, { limit: 1 })
  assert.ok(message !== undefined)
  return message
}

test('WEBHOOK-27: styles apply around links, and addresses keep their asterisks', async () => {
  const texts = {
    '*<https://e.org|Title>*': '**[Title](https://e.org)**',
    '*Deploy of <https://e.org|v1> done*': '**Deploy of [v1](https://e.org) done**',
    '~<https://e.org|x>~': '~~[x](https://e.org)~~',
    '<https://e.org/*a*|stars> *b*': '[stars](https://e.org/*a*) **b**',
    '<https://e.org/:tada:> `:tada: *x*`': 'https://e.org/:tada: `:tada: *x*`',
  }
  for (const [text, content] of Object.entries(texts)) assert.equal((await post({ text })).content, content)
})

test('WEBHOOK-27: names of emojis become emojis, and others stay', async () => {
  const text = ':tada: :+1: :wave::skin-tone-3: at 10:30:45 :no_such_thing: :constructor:'
  assert.equal((await post({ text })).content, '🎉 👍 👋🏼 at 10:30:45 :no_such_thing: :constructor:')
})

const word = (text: string, style: object = {}) => ({ type: 'text', text, style })
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })

test('WEBHOOK-27: a rich_text block alone is a message', async () => {
  const elements = [
    section(
      word('Plain *stars* '),
      word('bold ', { bold: true }),
      word('struck', { strike: true, italic: true }),
      word(' '),
      word('co`de', { code: true }),
      { type: 'link', url: 'https://e.org/', text: 'there', style: { bold: true } },
      { type: 'emoji', name: 'tada' },
      { type: 'user', user_id: 'U1' },
      { type: 'unheard_of', text: 'x' },
    ),
    { type: 'rich_text_list', style: 'ordered', elements: [section(word('one')), section(word('two'))] },
    { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(word('deeper'))] },
    { type: 'rich_text_quote', elements: [word('said\ntwice')] },
    { type: 'rich_text_preformatted', elements: [word('a *b*')] },
  ]
  const { content } = await post({ blocks: [{ type: 'rich_text', elements }] })
  assert.equal(
    content,
    [
      "Plain \\*stars\\* **bold** *~~struck~~* `co'de`**[there](https://e.org/)**🎉@U1",
      '1. one',
      '2. two',
      '  - deeper',
      '> said',
      '> twice',
      '```',
      'a *b*',
      '```',
    ].join('\n'),
  )
})

test('WEBHOOK-27: markdown is kept, a table becomes columns, and a video an embed', async () => {
  const cell = (text: string) => ({ type: 'raw_text', text })
  const rich = { type: 'rich_text', elements: [section(word('ok', { bold: true }))] }
  const blocks = [
    { type: 'markdown', text: '**as** _is_' },
    { type: 'table', rows: [[cell('Name'), cell('State')], [cell('a'), rich], 'none'] },
    {
      type: 'video',
      title: { type: 'plain_text', text: 'Tour' },
      title_url: 'https://e.org/tour',
      video_url: 'https://e.org/tour.mp4',
      thumbnail_url: 'https://e.org/tour.png',
      description: { type: 'plain_text', text: 'A walk' },
      author_name: 'Ada',
    },
  ]
  const { content, embeds } = await post({ blocks })
  assert.equal(content, '**as** _is_\n```\nName | State\na    | ok\n\n```')
  const [card] = embeds
  assert.deepEqual(
    [card?.title, card?.url, card?.description, card?.author?.name, card?.image?.url],
    ['Tour', 'https://e.org/tour', 'A walk', 'Ada', 'https://e.org/tour.png'],
  )
})

test('WEBHOOK-27: buttons of attachments that open an address are links', async () => {
  const actions = [
    { type: 'button', text: 'Runbook', url: 'https://e.org/run' },
    { type: 'button', text: 'Silence', url: 'https://e.org/silence' },
    { type: 'button', text: 'Ack', name: 'ack', value: '1' },
  ]
  const links = '[Runbook](https://e.org/run) [Silence](https://e.org/silence)'
  const attachments = [
    { title: 'Down', text: 'disk', actions },
    { fallback: 'f', actions },
  ]
  const { embeds } = await post({ attachments })
  assert.deepEqual(
    embeds.map(({ description }) => description),
    [`disk\n${links}`, `f\n${links}`],
  )
})

test('WEBHOOK-27: invalid blocks leave the rest of the message', async () => {
  const long = Array.from({ length: 5000 }, () => [{ type: 'raw_text', text: 'x'.repeat(500) }])
  const blocks = [
    { type: 'rich_text', elements: [null, 7, { type: 'rich_text_list', indent: -5, elements: 'x' }] },
    { type: 'rich_text', elements: [section({ type: 'link', url: 'javascript:alert(1)', text: 'no' })] },
    { type: 'table', rows: 7 },
    { type: 'markdown', text: {} },
    { type: 'table', rows: long },
  ]
  const { content, embeds } = await post({ blocks })
  assert.ok(content.startsWith('no\n```\nxxx') && content.length <= 4000)
  assert.deepEqual(embeds, [])
})
