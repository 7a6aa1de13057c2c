import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { noRights, Permission } from '@foyer/protocol/permissions'
import { isSameOverwrite } from '@foyer/protocol/rights'
import { choiceOf, choicesFor, emptyDraft, noFlags, withDraft } from './overwrite-draft.ts'

const { ViewChannels, SendMessages, PinMessages } = Permission
const saved = { ...noFlags, allow_flags: ViewChannels, deny_flags: SendMessages }

test('a choice is applied, and the rest stays as saved', () => {
  const draft = { ViewChannels: 'deny', SendMessages: 'inherit' } as const
  assert.deepEqual(withDraft(saved, draft), { ...noFlags, deny_flags: ViewChannels })
  assert.deepEqual(withDraft({ ...saved, allow_flags: ViewChannels | PinMessages }, draft), {
    ...noFlags,
    allow_flags: PinMessages,
    deny_flags: ViewChannels,
  })
})

test('choosing the saved value changes nothing', () => {
  assert.equal(isSameOverwrite(saved, withDraft(saved, emptyDraft)), true)
  assert.equal(
    isSameOverwrite(saved, withDraft(saved, { SendMessages: 'deny', PinMessages: 'inherit' })),
    true,
  )
  assert.equal(isSameOverwrite(saved, withDraft(saved, { SendMessages: 'allow' })), false)
})

test('a permission that is denied and allowed is allowed', () => {
  const both = { ...noFlags, allow_flags: ViewChannels, deny_flags: ViewChannels }
  const flags = [saved, both, noFlags, { ...noFlags, deny_flags: ViewChannels }]
  assert.deepEqual(
    flags.map((one) => choiceOf(one, 'ViewChannels')),
    ['allow', 'allow', 'inherit', 'deny'],
  )
})

test('a permission the user lacks can be kept and cleared, but not newly allowed or denied', () => {
  const held = { permissions: ViewChannels, capabilities: 0 }
  assert.deepEqual(choicesFor(saved, 'ViewChannels', held), ['deny', 'inherit', 'allow'])
  assert.deepEqual(choicesFor(saved, 'ViewChannels', noRights), ['inherit', 'allow'])
  assert.deepEqual(choicesFor(saved, 'SendMessages', held), ['deny', 'inherit'])
  assert.deepEqual(choicesFor(saved, 'PinMessages', held), ['inherit'])
})

test('capabilities are chosen like permissions, in their own fields', () => {
  const { AttachFiles, EmbedLinks } = Capability
  const files = { ...saved, allow_capabilities: AttachFiles }
  assert.deepEqual(withDraft(files, { AttachFiles: 'deny', EmbedLinks: 'allow' }), {
    ...saved,
    allow_capabilities: EmbedLinks,
    deny_capabilities: AttachFiles,
  })
  assert.equal(choiceOf(files, 'AttachFiles'), 'allow')
  assert.deepEqual(choicesFor(files, 'AttachFiles', noRights), ['inherit', 'allow'])
})
