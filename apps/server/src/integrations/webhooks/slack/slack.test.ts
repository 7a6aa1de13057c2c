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
  webhook = await owner.client.webhooks.create(space.general, { name: 'Services' })
})
after(() => server.close())

async function list(): Promise<Message[]> {
  return owner.client.messages.list(space.general, { limit: 100 })
}

/** Returns the messages posted during `work`. */
async function posted(work: () => Promise<unknown>): Promise<Message[]> {
  const before = new Set((await list()).map(({ id }) => id))
  await work()
  return (await list()).filter(({ id }) => !before.has(id)).reverse()
}

function slack(payload: object | URLSearchParams) {
  return deliver(server, webhook, payload, { path: '/slack' })
}

test('WEBHOOK-13: a text becomes Markdown, and the answer is ok', async () => {
  const text =
    'Build *failed*: <https://ci.example.org/1|run 1> of <https://example.org> by <@U1|ada> &lt;now&gt; ~never~ `*code*` <!date^1^{date}|today>'
  const [message] = await posted(async () => {
    const answer = await slack({ text, username: 'CI' })
    assert.deepEqual([answer.status, answer.text], [200, 'ok'])
  })
  assert.deepEqual(
    [message?.content, message?.author.username],
    [
      'Build **failed**: [run 1](https://ci.example.org/1) of https://example.org by @ada <now> ~~never~~ `*code*` today',
      'CI',
    ],
  )
  const [called] = await posted(() => slack(new URLSearchParams({ payload: '{"text":"<!here> look"}' })))
  assert.deepEqual([called?.content, called?.mention_everyone], ['@everyone look', true])
  const untold = { path: '/slack', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const [typeless] = await posted(() => deliver(server, webhook, '{"text":"50%+ &amp; more"}', untold))
  assert.equal(typeless?.content, '50%+ & more')
  assert.equal((await deliver(server, webhook, 'text=x', untold)).status, 400)
  assert.equal((await slack({ text: ' ' })).status, 400)
})

const attachment = {
  fallback: 'plain',
  color: 'danger',
  pretext: 'Look:',
  author_name: 'Ada',
  title: 'Engine',
  title_link: 'https://example.org/engine',
  text: '*stopped*',
  fields: [{ title: 'Since', value: 'noon', short: true }, { value: 'no name' }],
  footer: 'monitor',
  ts: 1_700_000_000,
}
const blocks = [
  { type: 'header', text: { type: 'plain_text', text: 'Report' } },
  {
    type: 'section',
    text: { type: 'mrkdwn', text: '*all* well' },
    fields: [{ type: 'mrkdwn', text: 'one' }],
    accessory: {
      type: 'button',
      text: { type: 'plain_text', text: 'More' },
      url: 'https://example.org/more',
    },
  },
  { type: 'divider' },
  {
    type: 'context',
    elements: [
      { type: 'mrkdwn', text: 'from' },
      { type: 'plain_text', text: 'here' },
    ],
  },
  { type: 'image', image_url: 'https://example.org/a.png', alt_text: 'a chart' },
  {
    type: 'actions',
    elements: [
      { type: 'button', text: { type: 'plain_text', text: 'Open [1]' }, url: 'https://example.org/(1)' },
      { type: 'button', text: { type: 'plain_text', text: 'Silence' }, value: '1' },
      { type: 'button', text: { type: 'plain_text', text: 'Run' }, url: 'javascript:alert(1)' },
    ],
  },
]

test('WEBHOOK-13: attachments and blocks become Markdown and embeds', async () => {
  const [message] = await posted(() =>
    slack({ text: 'unseen', blocks, attachments: [attachment, { fallback: 'just this' }] }),
  )
  assert.equal(
    message?.content,
    '**Report**\n**all** well\none\n[More](https://example.org/more)\n―――\nfrom here\n[Open \\[1\\]](https://example.org/%281%29)\nLook:',
  )
  const [card, bare, image] = message?.embeds ?? []
  assert.deepEqual(
    [
      card?.title,
      card?.url,
      card?.description,
      card?.color,
      card?.author?.name,
      card?.footer?.text,
      card?.timestamp,
    ],
    [
      'Engine',
      'https://example.org/engine',
      '**stopped**',
      0xe01e5a,
      'Ada',
      'monitor',
      new Date(1_700_000_000_000).toISOString(),
    ],
  )
  assert.deepEqual(card?.fields, [
    { name: 'Since', value: 'noon', inline: true },
    { name: '\u200b', value: 'no name', inline: false },
  ])
  assert.equal(bare?.description, 'just this')
  assert.deepEqual([image?.title, image?.image?.url], ['a chart', 'https://example.org/a.png'])
})

test('WEBHOOK-14: deliveries of Slack are cut to the limits, and invalid parts are left out', async () => {
  const long = 'x'.repeat(10_000)
  const huge = {
    title: long,
    text: long,
    author_name: long,
    title_link: 'javascript:alert(1)',
    image_url: 7,
    ts: 1e300,
  }
  const odd = [
    { text: long, attachments: Array.from({ length: 30 }, () => huge), blocks: 'none' },
    { text: 7, attachments: { length: 3 }, blocks: [null, 7, { type: 'section', text: [] }] },
    { attachments: [{ title: 'a', color: '#xyzxyz', fields: [null, 'x', { value: {} }] }] },
  ]
  for (const payload of odd)
    assert.equal((await slack(payload)).status, 200, JSON.stringify(payload).slice(0, 80))
  // The limit of 16,000 units cuts the first emoji in half.
  const halved = `${'&amp;'.repeat(3199)}abcd😀😀`
  const [message] = await posted(() => slack({ attachments: [{ text: halved }] }))
  assert.equal(message?.embeds[0]?.description, `${'&'.repeat(3199)}abcd\ufffd`)
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  assert.equal((await deliver(server, webhook, `{"text":${deep}}`, { path: '/slack' })).status, 400)
})
