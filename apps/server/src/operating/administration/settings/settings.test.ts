import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ServerSetting } from '@foyer/protocol/server-settings'
import { Administration } from '@foyer/sdk/api/administration'
import { readConfig } from '#src/config.ts'
import { describeSettings, listSettings } from '#src/kernel/described-settings.ts'
import { shownSettings } from '#src/kernel/shown-settings.ts'
import { Settings } from '#src/settings.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { callAsNobody, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

const PATH = '/api/operator/settings'
const MARK = 'hunter2secret'
const provider = {
  id: 'corp',
  name: 'Corp',
  issuer: 'https://id.example.org',
  client_id: 'c',
  client_secret: MARK,
}
/** Everything that is secret, and addresses with passwords where none belong. */
const environment = {
  DATABASE_URL: `postgres://foyer:${MARK}@db/foyer`,
  DIRECT_DATABASE_URL: `postgres://foyer:${MARK}@db/foyer`,
  READ_DATABASE_URL: `postgres://foyer:${MARK}@replica/foyer`,
  VALKEY_URL: `redis://:${MARK}@cache:6379`,
  SMTP_URL: `smtp://foyer:${MARK}@mail.example.org`,
  OIDC_PROVIDERS: JSON.stringify([provider]),
  S3_ENDPOINT: `https://user:${MARK}@s3.example.org`,
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: MARK,
  S3_SECRET_ACCESS_KEY: MARK,
  BACKUP_TO: `s3://${'user'}:${MARK}@bucket/prefix`,
  BACKUP_PASSPHRASE: `${MARK}${MARK}`,
  BACKUP_S3_ENDPOINT: 'https://s3.example.net',
  BACKUP_S3_ACCESS_KEY_ID: MARK,
  BACKUP_S3_SECRET_ACCESS_KEY: MARK,
  TURN_SECRET: MARK,
  LIVEKIT_API_KEY: MARK,
  LIVEKIT_API_SECRET: MARK,
  SECRET_KEY: `${MARK}${MARK}${MARK}`,
  METRICS_TOKEN: MARK,
  REGISTRATION: 'invite',
  PUBLIC_URL: 'https://chat.example.org',
  TLS: 'off',
}

let server: TestServer
let ada: Person

before(async () => {
  const { settings } = readConfig(environment)
  server = await startOwnServer({ settings })
  ada = await createOperator(server, 'ada')
})
after(() => server.close())

async function settingsByName(): Promise<Map<string, ServerSetting>> {
  const { settings } = await ada.client.api(Administration).getSettings()
  return new Map(settings.map((setting) => [setting.variable, setting]))
}

test('CONSOLE-24: operators read each setting, its value and its source; others do not', async () => {
  const settings = await settingsByName()
  assert.deepEqual(
    [...settings.keys()],
    listSettings(Settings).map(({ variable }) => variable),
  )
  const port = settings.get('PORT')
  assert.deepEqual([port?.value, port?.source, port?.is_live], ['8080', 'default', false])
  const url = settings.get('PUBLIC_URL')
  assert.deepEqual([url?.value, url?.source], ['https://chat.example.org', 'environment'])
  assert.match(url?.description ?? '', /^Public address, like/)
  const bob = await createPerson(server, 'bob')
  const bot = await createApplicationBot(server, bob, { name: 'Robot', username: 'robot' })
  assert.equal((await bob.call('GET', PATH)).code, 'operator_only')
  assert.equal((await bot.call('GET', PATH)).status, 403)
  assert.equal((await callAsNobody(server, 'GET', PATH)).status, 401)
})

test('CONSOLE-25: no secret of the configuration is in the whole answer', async () => {
  const response = await server.fetch(PATH, { headers: ada.credentials })
  const text = await response.text()
  assert.doesNotMatch(text, new RegExp(MARK))
  const settings = await settingsByName()
  for (const variable of ['SECRET_KEY', 'SMTP_URL', 'DATABASE_URL', 'METRICS_TOKEN', 'OIDC_PROVIDERS']) {
    const { value, is_set, is_secret } = settings.get(variable) ?? {}
    assert.deepEqual([value, is_set, is_secret], [null, true, true], variable)
  }
  assert.equal(settings.get('S3_ENDPOINT')?.value, 'https://…@s3.example.org')
})

test('CONSOLE-25: only settings that are listed as plain are shown', () => {
  const names = listSettings(Settings).map(({ variable }) => variable)
  for (const variable of shownSettings) assert.ok(names.includes(variable), variable)
  const secret = names.filter((variable) => !shownSettings.has(variable))
  assert.deepEqual(secret.toSorted(), [
    'BACKUP_PASSPHRASE',
    'BACKUP_S3_ACCESS_KEY_ID',
    'BACKUP_S3_SECRET_ACCESS_KEY',
    'DATABASE_URL',
    'DIRECT_DATABASE_URL',
    'LIVEKIT_API_KEY',
    'LIVEKIT_API_SECRET',
    'METRICS_TOKEN',
    'OIDC_PROVIDERS',
    'READ_DATABASE_URL',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'SECRET_KEY',
    'SMTP_URL',
    'TURN_SECRET',
    'VALKEY_URL',
  ])
  for (const { isSecret, value } of describeSettings(Settings, { environment, commandLine: {} }))
    assert.ok(!isSecret || value === null)
})

test('CONSOLE-24: the source is a file, the command line or the console where it is', async () => {
  const described = describeSettings(Settings, {
    environment: { OIDC_PROVIDERS: '/etc/foyer/providers.json', SERVICES: 'jobs' },
    commandLine: { SERVICES: 'api' },
  })
  const named = (name: string) => described.find(({ variable }) => variable === name)
  assert.equal(named('OIDC_PROVIDERS')?.source, 'file')
  assert.deepEqual([named('SERVICES')?.source, named('SERVICES')?.value], ['command_line', 'api'])
  assert.deepEqual([named('SECRET_KEY')?.source, named('SECRET_KEY')?.isSet], ['file', true])
  assert.equal((await settingsByName()).get('REGISTRATION')?.source, 'environment')
  await ada.client.api(Administration).updateRegistration({ mode: 'closed', domains: ['example.org'] })
  const settings = await settingsByName()
  const rule = settings.get('REGISTRATION')
  assert.deepEqual([rule?.value, rule?.source, rule?.is_live], ['closed', 'console', true])
  assert.equal(settings.get('REGISTRATION_DOMAINS')?.value, 'example.org')
  assert.equal(settings.get('SIGNUP_PUZZLE')?.source, 'default')
})
