import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { firstOverwrites, type Viewer } from './first-overwrites.ts'

const { ViewChannels, SendMessages } = Permission
const guides: Viewer = { id: 'guides', type: OverwriteTarget.Role, name: 'Guides' }
const me: Viewer = { id: 'me', type: OverwriteTarget.Member, name: 'Mira' }

/** Returns the target, the allowed and the denied permissions of each overwrite. */
function flagsOf(viewers: readonly Viewer[] | null, announces: boolean) {
  return firstOverwrites({ spaceId: 'space', myId: 'me', viewers, announces }).map(
    ({ target_id, allow_flags, deny_flags }) => [target_id, allow_flags, deny_flags],
  )
}

test('FOLLOW-20: in a new announcement room only its creator writes', () => {
  assert.deepEqual(flagsOf(null, true), [
    ['space', 0, SendMessages],
    ['me', SendMessages, 0],
  ])
})

test('FOLLOW-20: those who may view a private announcement room may not write in it', () => {
  const both = ViewChannels | SendMessages
  assert.deepEqual(flagsOf([guides, me], true), [
    ['space', 0, both],
    ['me', both, 0],
    ['guides', ViewChannels, 0],
  ])
})

test('a private room without announcements takes the right to view it only, and other rooms have no overwrites', () => {
  assert.deepEqual(flagsOf([guides], false), [
    ['space', 0, ViewChannels],
    ['me', ViewChannels, 0],
    ['guides', ViewChannels, 0],
  ])
  assert.deepEqual(flagsOf(null, false), [])
})
