import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { choiceOf, choicesFor, emptyDraft, isSame, noFlags, withDraft } from './overwrite-draft.ts'

const { ViewChannels, SendMessages, PinMessages } = Permission
const saved = { allow_flags: ViewChannels, deny_flags: SendMessages }

test('a choice is applied, and the rest stays as saved', () => {
  const draft = { [ViewChannels]: 'deny', [SendMessages]: 'inherit' } as const
  assert.deepEqual(withDraft(saved, draft), { allow_flags: 0, deny_flags: ViewChannels })
  assert.deepEqual(withDraft({ ...saved, allow_flags: ViewChannels | PinMessages }, draft), {
    allow_flags: PinMessages,
    deny_flags: ViewChannels,
  })
})

test('choosing the saved value changes nothing', () => {
  assert.equal(isSame(saved, withDraft(saved, emptyDraft)), true)
  assert.equal(isSame(saved, withDraft(saved, { [SendMessages]: 'deny', [PinMessages]: 'inherit' })), true)
  assert.equal(isSame(saved, withDraft(saved, { [SendMessages]: 'allow' })), false)
})

test('a permission that is denied and allowed is allowed', () => {
  const both = { allow_flags: ViewChannels, deny_flags: ViewChannels }
  const flags = [saved, both, noFlags, { ...noFlags, deny_flags: ViewChannels }]
  assert.deepEqual(
    flags.map((one) => choiceOf(one, ViewChannels)),
    ['allow', 'allow', 'inherit', 'deny'],
  )
})

test('a permission the user lacks can be kept and cleared, but not newly allowed or denied', () => {
  assert.deepEqual(choicesFor(saved, ViewChannels, ViewChannels), ['deny', 'inherit', 'allow'])
  assert.deepEqual(choicesFor(saved, ViewChannels, 0), ['inherit', 'allow'])
  assert.deepEqual(choicesFor(saved, SendMessages, ViewChannels), ['deny', 'inherit'])
  assert.deepEqual(choicesFor(saved, PinMessages, ViewChannels), ['inherit'])
})
