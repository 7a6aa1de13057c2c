import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Embed } from '@foyer/protocol/embeds'
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
  webhook = await owner.client.webhooks.create(space.general, { name: 'GitHub' })
})
after(() => server.close())

const repository = { full_name: 'ada/engine', html_url: 'https://github.com/ada/engine' }

/** Posts a GitHub event. Returns its card; undefined without one. */
async function cardOf(event: string, payload: object): Promise<Embed | undefined> {
  const newest = async () => (await owner.client.messages.list(space.general, { limit: 1 }))[0]
  const before = await newest()
  const headers = { 'x-github-event': event }
  const { status } = await deliver(server, webhook, { repository, ...payload }, { path: '/github', headers })
  assert.equal(status, 204, event)
  const after = await newest()
  return after?.id === before?.id ? undefined : after?.embeds[0]
}

const page = (path: string) => `${repository.html_url}/${path}`
const discussion = { number: 3, title: 'Which way?', html_url: page('discussions/3'), body: 'Left or right?' }
const deployment = { environment: 'production', ref: 'main', sha: 'abcdef0123', description: 'Release 2' }
const suite = { conclusion: 'failure', head_branch: 'main', head_sha: 'abcdef0123', app: { name: 'CI' } }
const dependency = {
  number: 4,
  html_url: page('security/dependabot/4'),
  dependency: { package: { name: 'left-pad' } },
  security_advisory: { summary: 'Pads too far', severity: 'high' },
}
const finding = {
  number: 5,
  html_url: page('security/code-scanning/5'),
  rule: { description: 'SQL injection', severity: 'error', security_severity_level: 'critical' },
  tool: { name: 'CodeQL' },
}
const leak = {
  number: 6,
  html_url: page('security/secret-scanning/6'),
  secret_type_display_name: 'Token of a cloud',
  secret: 'hunter2',
}
const advisory = {
  ghsa_id: 'GHSA-aaaa-bbbb-cccc',
  cve_id: 'CVE-2026-1',
  severity: 'critical',
  summary: 'Engine explodes',
  description: 'It does.',
}

type Told = [
  event: string,
  payload: object,
  card: { title: string; url?: string; description?: string | null },
]

const told: Told[] = [
  [
    'discussion',
    { action: 'created', discussion },
    {
      title: '[ada/engine] Discussion created: #3 Which way?',
      url: page('discussions/3'),
      description: 'Left or right?',
    },
  ],
  [
    'discussion',
    { action: 'answered', discussion, answer: { html_url: page('discussions/3#a'), body: 'Left.' } },
    {
      title: '[ada/engine] Discussion answered: #3 Which way?',
      url: page('discussions/3#a'),
      description: 'Left.',
    },
  ],
  [
    'discussion_comment',
    { action: 'created', discussion, comment: { html_url: page('discussions/3#c'), body: 'Up!' } },
    {
      title: '[ada/engine] New comment on discussion #3 Which way?',
      url: page('discussions/3#c'),
      description: 'Up!',
    },
  ],
  [
    'member',
    { action: 'added', member: { login: 'bob', html_url: 'https://github.com/bob' } },
    { title: '[ada/engine] Collaborator added: bob', url: 'https://github.com/bob' },
  ],
  ['public', {}, { title: '[ada/engine] Repository is public now', url: repository.html_url }],
  [
    'check_suite',
    { action: 'completed', check_suite: suite },
    {
      title: '[ada/engine] Check suite failure: CI',
      url: page('commit/abcdef0'),
      description: '`main` abcdef0',
    },
  ],
  [
    'deployment',
    { action: 'created', deployment },
    {
      title: '[ada/engine] Deployment to production created',
      url: repository.html_url,
      description: '`main` abcdef0\nRelease 2',
    },
  ],
  [
    'deployment_status',
    { action: 'created', deployment, deployment_status: { state: 'success', log_url: page('log') } },
    {
      title: '[ada/engine] Deployment to production succeeded',
      url: page('log'),
      description: '`main` abcdef0',
    },
  ],
  [
    'deployment_status',
    { action: 'created', deployment, deployment_status: { state: 'error', environment: 'staging' } },
    { title: '[ada/engine] Deployment to staging failed', url: repository.html_url },
  ],
  [
    'dependabot_alert',
    { action: 'created', alert: dependency },
    {
      title: '[ada/engine] Dependabot alert opened: #4 Pads too far',
      url: dependency.html_url,
      description: 'left-pad · high',
    },
  ],
  [
    'dependabot_alert',
    { action: 'fixed', alert: dependency },
    { title: '[ada/engine] Dependabot alert fixed: #4 Pads too far', description: 'left-pad' },
  ],
  [
    'code_scanning_alert',
    { action: 'appeared_in_branch', alert: finding },
    {
      title: '[ada/engine] Code scanning alert opened: #5 SQL injection',
      url: finding.html_url,
      description: 'CodeQL · critical',
    },
  ],
  [
    'secret_scanning_alert',
    { action: 'created', alert: leak },
    {
      title: '[ada/engine] Secret scanning alert opened: #6 Token of a cloud',
      url: leak.html_url,
      description: 'critical',
    },
  ],
  [
    'secret_scanning_alert',
    { action: 'resolved', alert: { ...leak, resolution: 'used_in_tests' } },
    {
      title: '[ada/engine] Secret scanning alert resolved: #6 Token of a cloud',
      description: 'used in tests',
    },
  ],
  [
    'security_advisory',
    { action: 'published', repository: undefined, security_advisory: advisory },
    {
      title: 'Security advisory published: Engine explodes',
      url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
      description: 'CVE-2026-1 · critical\nIt does.',
    },
  ],
]

test('WEBHOOK-25: discussions, collaborators, deployments, check suites and security alerts are shown as embeds', async () => {
  for (const [event, payload, expected] of told) {
    const card = await cardOf(event, payload)
    const { title, url, description } = expected
    assert.equal(card?.title, title)
    if (url !== undefined) assert.equal(card.url, url, title)
    if (description !== undefined) assert.equal(card.description, description, title)
    assert.doesNotMatch(JSON.stringify(card), /hunter2/)
  }
})

test('WEBHOOK-25: intermediate steps and changes of existing items post nothing', async () => {
  const untold: [string, object][] = [
    ['discussion', { action: 'edited', discussion }],
    ['discussion_comment', { action: 'deleted', discussion, comment: {} }],
    ['member', { action: 'edited', member: { login: 'bob' } }],
    ['check_suite', { action: 'requested', check_suite: suite }],
    ['deployment', { deployment }],
    ['deployment_status', { action: 'created', deployment, deployment_status: { state: 'in_progress' } }],
    ['deployment_status', { deployment_status: { state: 'constructor' } }],
    ['dependabot_alert', { action: 'assigned', alert: dependency }],
    ['code_scanning_alert', { action: 'constructor', alert: finding }],
    ['secret_scanning_alert', { action: 'validated', alert: leak }],
    ['security_advisory', { action: 'updated', security_advisory: advisory }],
  ]
  for (const [event, payload] of untold) assert.equal(await cardOf(event, payload), undefined, event)
})
