import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { idsIn, plainError } from './facts.ts'

test('CONSOLE-5: of a payload only known ids are shown', () => {
  const id = newId()
  const payload = {
    user_id: id,
    email: 'eve@example.org',
    token: id,
    space_id: 'eve@example.org',
    name: 'Eve',
  }
  assert.deepEqual(idsIn(payload), { user_id: id })
  for (const name of ['export_id', 'import_id', 'announcement_id'])
    assert.deepEqual(idsIn({ [name]: id }), { [name]: id })
  for (const other of [null, 'text', [id], { user_id: 7 }]) assert.deepEqual(idsIn(other), {})
})

test('CONSOLE-5: an error is one line without addresses and secrets', () => {
  const id = newId()
  const secret = 'q7Jx0Zp3mVb9Kt2LwR5sYd8F'
  assert.equal(
    plainError(`550 no mailbox eve@example.org (see https://mail.example.org/?t=abc)\n  at send (mail.ts:1)`),
    '550 no mailbox …@… (see https://…',
  )
  assert.equal(plainError(`refused: ${secret}`), 'refused: …')
  assert.equal(plainError(`no space ${id}`), `no space ${id}`)
  assert.equal(plainError(null), '')
  assert.equal(plainError('too long '.repeat(500)).length, 300)
})
