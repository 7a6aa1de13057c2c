import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PushPayload } from '@foyer/protocol/notifications'
import { worded } from './push-words.ts'
import { answeredBy } from './requests.ts'

const ORIGIN = 'https://chat.example.org'
const isKept = (path: string) => path === '/favicon.svg'

function answered(path: string, mode: RequestMode = 'navigate', method = 'GET') {
  return answeredBy({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN, isKept)
}

test('the worker answers requests for the page and its files', () => {
  for (const path of ['/', '/friends', '/spaces/1/rooms/2?x=1', '/apiary'])
    assert.equal(answered(path), 'page', path)
  for (const path of ['/assets/app-1a2b.js', '/favicon.svg'])
    assert.equal(answered(path, 'cors'), 'file', path)
})

test('the worker leaves user content and other sites to the network', () => {
  const others = [
    '/api/users/@me',
    '/api',
    '/attachments/1',
    '/storage/x',
    '/gateway',
    '/metrics',
    '/worker.js',
    '/nothing.png',
  ]
  for (const path of [...others, 'https://other.example.org/'])
    for (const mode of ['navigate', 'cors'] as const) assert.equal(answered(path, mode), null, path)
  assert.equal(answered('/', 'navigate', 'POST'), null)
  assert.equal(answered('/friends', 'cors'), null)
})

const words = {
  inRoom: '{author} in #{room} ({space})',
  inGroup: '{author} bei {group}',
  call: 'ruft an',
  raidTitle: '{space}: Tür zu',
  raid: 'Ein Überfall',
  file: 'Eine Datei',
  files: '{count} Dateien',
  message: 'Eine Nachricht',
}

test('the text of a push depends on its channel and content', () => {
  const textOf = (change: Partial<PushPayload>) => {
    const { title, body } = worded({ ...push, ...change }, words)
    return `${title}: ${body}`
  }
  const room = { room_name: 'tee', space_name: '{author}' }
  assert.equal(textOf({ ...room, text: 'Tee?' }), 'Mira in #tee ({author}): Tee?')
  assert.equal(textOf({ conversation_name: 'Tour', attachment_count: 1 }), 'Mira bei Tour: Eine Datei')
  assert.equal(textOf({ attachment_count: 3 }), 'Mira: 3 Dateien')
  assert.equal(textOf({}), 'Mira: Eine Nachricht')
  assert.equal(textOf({ type: 'call', kind: 'call' }), 'Mira: ruft an')
})

test('DOOR-43: a push about a raid names the space in the user’s language, and has no author', () => {
  const { author_id: _id, author_name: _name, author_avatar: _avatar, ...nobody } = push
  const raid: PushPayload = { ...nobody, type: 'raid', kind: 'raid', space_id: 'club', space_name: '{space}' }
  assert.deepEqual(worded(raid, words), { title: '{space}: Tür zu', body: 'Ein Überfall' })
  assert.deepEqual(worded(raid, null), { title: 'the title', body: 'the body' })
})

test('CONSOLE-22: a test push has the user’s language, and the server’s where an older client stored the texts', () => {
  const { author_id: _id, author_name: _name, author_avatar: _avatar, ...nobody } = push
  const trial: PushPayload = { ...nobody, type: 'test', kind: 'test' }
  const german = { ...words, testTitle: 'Ein Test', test: 'Es geht' }
  assert.deepEqual(worded(trial, german), { title: 'Ein Test', body: 'Es geht' })
  assert.deepEqual(worded(trial, words), { title: 'the title', body: 'the body' })
})

test('without templates a notification has the server’s text', () => {
  assert.deepEqual(worded(push, null), { title: 'the title', body: 'the body' })
})

const push: PushPayload = {
  type: 'message',
  title: 'the title',
  body: 'the body',
  url: '/',
  tag: 'tag',
  kind: 'direct',
  author_id: 'mira',
  author_name: 'Mira',
  author_avatar: null,
  text: '',
  attachment_count: 0,
}
