import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMember, sampleUser } from '#src/store/samples.ts'
import { matchesMember } from './matching.ts'

const member = sampleMember('id-1', {
  nickname: 'Bergführer',
  user: sampleUser('id-1', { username: 'jose.m', alias: 'José' }),
})

test('members match by any part of nickname, display name or username, ignoring case', () => {
  for (const query of ['bergfuhrer', 'FÜHR', 'jose', 'josé', '@jose.m', 'id-1', ' ']) {
    assert.equal(matchesMember(member, query), true, query)
  }
  for (const query of ['josef', 'id-', '@berg@']) assert.equal(matchesMember(member, query), false, query)
})
