import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InteractionUpdate } from '@foyer/protocol/interactions'
import { MessageFlag } from '@foyer/protocol/messages'
import { sampleMessage, sampleUser } from '#src/store/samples.ts'
import { type Ask, withAsk, withoutEphemeral, withUpdate } from './interaction-state.ts'
import { noInteractions } from './interaction-store.ts'

const ask: Ask = {
  nonce: 'n1',
  id: null,
  channelId: 'room',
  bot: sampleUser('bot', { is_bot: true }),
  label: '/poll',
  component: null,
  body: { application_id: 'app', type: 'command' },
  created_at: '2026-01-01T00:00:00.000Z',
  status: 'thinking',
  error: null,
}
const asked = withAsk(noInteractions, ask)
const secret = sampleMessage(1, { flags: MessageFlag.Ephemeral })

function update(change: Partial<InteractionUpdate>): InteractionUpdate {
  const none = { message: null, choices: null, modal: null }
  return { id: 'i1', nonce: 'n1', application_id: 'app', state: 'answered', ...none, ...change }
}

test('an answer ends the wait, even if it only has the id', () => {
  assert.deepEqual(withUpdate(asked, update({})).asks, [])
  const confirmed = withAsk(asked, { ...ask, id: 'i1' })
  assert.deepEqual(withUpdate(confirmed, update({ nonce: null })).asks, [])
  assert.equal(withUpdate(asked, update({ nonce: 'other' })).asks.length, 1)
})

test('an unanswered interaction is kept so that it can be retried', () => {
  const [failed] = withUpdate(asked, update({ state: 'failed' })).asks
  assert.equal(failed?.status, 'failed')
  assert.equal(withUpdate(noInteractions, update({ state: 'failed' })).asks.length, 0)
})

test('an ephemeral answer is kept by channel, updated in place, and removed when dismissed', () => {
  const answered = withUpdate(asked, update({ message: secret }))
  assert.deepEqual(answered.ephemerals, { room: [secret] })
  const changed = { ...secret, content: 'changed' }
  const after = withUpdate(answered, update({ message: changed }))
  assert.deepEqual(after.ephemerals, { room: [changed] })
  assert.deepEqual(withoutEphemeral(after, changed).ephemerals, { room: [] })
})

test('a public answer is an ordinary message, not an ephemeral one', () => {
  assert.deepEqual(withUpdate(asked, update({ message: sampleMessage(1) })).ephemerals, {})
})

test('an answer deleted by the bot is removed', () => {
  const interaction = { id: 'i1', type: 'command', name: 'poll', user: sampleUser('me') }
  const answered = withUpdate(asked, update({ message: { ...secret, interaction } }))
  assert.deepEqual(withUpdate(answered, update({ state: 'deleted' })).ephemerals, { room: [] })
})

test('a modal opens only on the device that asked for it', () => {
  const modal = { custom_id: 'm', title: 'Feedback', components: [] }
  assert.equal(withUpdate(asked, update({ modal })).modal?.interactionId, 'i1')
  assert.equal(withUpdate(noInteractions, update({ modal })).modal, null)
})
