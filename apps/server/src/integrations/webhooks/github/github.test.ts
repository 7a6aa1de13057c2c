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

const repository = { id: 5, full_name: 'ada/engine', html_url: 'https://github.com/ada/engine' }
const sender = {
  id: 9,
  login: 'ada',
  html_url: 'https://github.com/ada',
  avatar_url: 'https://avatars.example.org/ada',
}

function tell(event: string, payload: object, delivery?: string) {
  const headers = {
    'x-github-event': event,
    ...(delivery === undefined ? {} : { 'x-github-delivery': delivery }),
  }
  return deliver(server, webhook, { repository, sender, ...payload }, { path: '/github', headers })
}

/** Posts a GitHub event. Returns its card; undefined without one. */
async function cardOf(event: string, payload: object) {
  const messages = await posted(async () => assert.equal((await tell(event, payload)).status, 204, event))
  assert.ok(messages.length < 2, event)
  return messages[0]?.embeds[0]
}

const commit = (id: string, message: string) => ({
  id: id.repeat(40),
  message,
  url: `https://github.com/ada/engine/commit/${id}`,
  author: { name: 'Ada', username: 'ada' },
})
const issue = {
  number: 7,
  title: 'It stops',
  html_url: 'https://github.com/ada/engine/issues/7',
  body: 'Every day.',
}
const pull = { ...issue, number: 8, title: 'Keep it going', merged: false }
const run = {
  name: 'ci',
  html_url: 'https://github.com/ada/engine/runs/1',
  head_branch: 'main',
  head_sha: 'abcdef0123',
}

test('WEBHOOK-12: a push is an embed with its commits', async () => {
  const commits = [commit('a', 'First line\n\nand the rest'), commit('b', 'Second')]
  const card = await cardOf('push', {
    ref: 'refs/heads/main',
    compare: `${repository.html_url}/compare/x`,
    commits,
  })
  assert.deepEqual(
    [card?.title, card?.url, card?.description],
    [
      '[ada/engine:main] 2 new commits',
      'https://github.com/ada/engine/compare/x',
      [
        '[`aaaaaaa`](https://github.com/ada/engine/commit/a) First line – ada',
        '[`bbbbbbb`](https://github.com/ada/engine/commit/b) Second – ada',
      ].join('\n'),
    ],
  )
  const { icon, ...author } = card?.author ?? {}
  assert.deepEqual(author, { name: 'ada', url: sender.html_url, icon_url: sender.avatar_url })
  assert.equal(icon?.url, sender.avatar_url)
})

const told: [string, object, string][] = [
  ['ping', { zen: 'Keep it logically awesome.' }, '[ada/engine] GitHub is connected'],
  ['push', { ref: 'refs/heads/x', forced: true, commits: [] }, '[ada/engine:x] Branch was force-pushed'],
  [
    'pull_request',
    { action: 'opened', pull_request: pull },
    '[ada/engine] Pull request opened: #8 Keep it going',
  ],
  [
    'pull_request',
    { action: 'closed', pull_request: pull },
    '[ada/engine] Pull request closed: #8 Keep it going',
  ],
  [
    'pull_request',
    { action: 'closed', pull_request: { ...pull, merged: true } },
    '[ada/engine] Pull request merged: #8 Keep it going',
  ],
  [
    'pull_request_review',
    { action: 'submitted', pull_request: pull, review: { state: 'approved', body: null } },
    '[ada/engine] Pull request approved: #8 Keep it going',
  ],
  ['issues', { action: 'opened', issue }, '[ada/engine] Issue opened: #7 It stops'],
  ['issues', { action: 'closed', issue }, '[ada/engine] Issue closed: #7 It stops'],
  [
    'issue_comment',
    { action: 'created', issue, comment: { body: 'Me too' } },
    '[ada/engine] New comment on issue #7 It stops',
  ],
  [
    'issue_comment',
    { action: 'created', issue: { ...pull, pull_request: { url: 'x' } }, comment: { body: 'Nice' } },
    '[ada/engine] New comment on pull request #8 Keep it going',
  ],
  ['release', { action: 'published', release: { tag_name: 'v1' } }, '[ada/engine] New release published: v1'],
  ['create', { ref_type: 'branch', ref: 'dev' }, '[ada/engine] Branch created: dev'],
  ['delete', { ref_type: 'tag', ref: 'v0' }, '[ada/engine] Tag deleted: v0'],
  ['fork', { forkee: { full_name: 'bob/engine' } }, '[ada/engine] Forked to bob/engine'],
  [
    'workflow_run',
    { action: 'completed', workflow_run: { ...run, conclusion: 'failure' } },
    '[ada/engine] Workflow failure: ci',
  ],
  [
    'check_run',
    { action: 'completed', check_run: { ...run, conclusion: 'timed_out' } },
    '[ada/engine] Check timed out: ci',
  ],
]

test('WEBHOOK-12: events worth a message are shown as an embed', async () => {
  for (const [event, payload, title] of told)
    assert.equal((await cardOf(event, payload))?.title, title, event)
})

const untold: [string, object][] = [
  ['pull_request', { action: 'synchronize', pull_request: pull }],
  ['issues', { action: 'labeled', issue }],
  ['issue_comment', { action: 'edited', issue, comment: {} }],
  ['workflow_run', { action: 'requested', workflow_run: run }],
  ['push', { ref: 'refs/heads/x', deleted: true, commits: [] }],
  ['push', { ref: 'refs/heads/x', created: true, commits: [] }],
  ['pull_request_review', { action: 'submitted', pull_request: pull, review: { state: 'commented' } }],
  ['deployment', {}],
  ['constructor', {}],
  ['', {}],
]

test('WEBHOOK-12: other events post nothing', async () => {
  for (const [event, payload] of untold) assert.equal(await cardOf(event, payload), undefined, event)
})

test('WEBHOOK-12: a delivery posts once, even if sent twice at once or after its message was deleted', async () => {
  const payload = { action: 'opened', issue }
  const messages = await posted(() => Promise.all([1, 2, 3].map(() => tell('issues', payload, 'delivery-1'))))
  assert.equal(messages.length, 1)
  await owner.client.messages.delete(space.general, messages[0]?.id ?? '')
  const again = await posted(async () =>
    assert.equal((await tell('issues', payload, 'delivery-1')).status, 204),
  )
  assert.deepEqual(again, [])
  assert.equal((await posted(() => tell('issues', payload, 'delivery-2'))).length, 1)
  const stars = await posted(async () => {
    await tell('star', { action: 'created' }, 'delivery-3')
    await tell('watch', { action: 'started' }, 'delivery-4')
  })
  assert.deepEqual(
    stars.map(({ embeds }) => embeds[0]?.title),
    ['[ada/engine] New star'],
  )
})

test('WEBHOOK-12: GitHub may send its payload as a form', async () => {
  const payload = JSON.stringify({ action: 'opened', issue, repository, sender })
  const options = { path: '/github', headers: { 'x-github-event': 'issues' } }
  const [message] = await posted(() => deliver(server, webhook, new URLSearchParams({ payload }), options))
  assert.equal(message?.embeds[0]?.title, '[ada/engine] Issue opened: #7 It stops')
  for (const body of [new URLSearchParams({ other: 'x' }), new URLSearchParams({ payload: '{' }), '{', '[]'])
    assert.equal((await deliver(server, webhook, body, options)).status, 400)
})

test('WEBHOOK-14: deliveries of GitHub are cut to the limits, and invalid parts are left out', async () => {
  const long = 'x'.repeat(10_000)
  const commits = Array.from({ length: 500 }, () => commit('c', long))
  const card = await cardOf('push', { ref: `refs/heads/${long}`, commits, repository: 7 })
  assert.ok([...(card?.title ?? '')].length <= 256 && (card?.description ?? '').length <= 4096)
  for (const payload of [{ issue: null }, { issue: 7, action: 'opened' }, { action: { a: 1 } }])
    assert.equal((await tell('issues', payload)).status, 204)
})
