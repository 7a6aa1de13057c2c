import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerSetting } from '@foyer/protocol/server-settings'
import { matchingSettings } from './matching-settings.ts'

const setting = (variable: string, description: string): ServerSetting => ({
  variable,
  description,
  value: null,
  is_set: false,
  is_secret: false,
  is_live: false,
  source: 'default',
})
const settings = [setting('SMTP_URL', 'Mail server'), setting('VOICE_PORT', 'UDP port for voice')]
const found = (query: string) => matchingSettings(settings, query).map(({ variable }) => variable)

test('CONSOLE-24: a setting is found by words of its name and description, in any case', () => {
  assert.deepEqual(found(''), ['SMTP_URL', 'VOICE_PORT'])
  assert.deepEqual(found('mail'), ['SMTP_URL'])
  assert.deepEqual(found(' udp  Voice_ '), ['VOICE_PORT'])
  assert.deepEqual(found('mail voice'), [])
})
