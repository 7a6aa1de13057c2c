import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AutomodTrigger } from '@foyer/protocol/automod'
import { compileMatcher } from './matcher.ts'

const own = { origin: 'https://chat.example.org', codes: new Set(['OwnCode1']) }

async function excerptOf(trigger: AutomodTrigger, text: string): Promise<string | undefined> {
  const matcher = await compileMatcher([{ id: 'rule', trigger }], own)
  return matcher.match([text])[0]?.excerpt
}

const deny: AutomodTrigger = { type: 'links', list: 'deny', hosts: ['evil.com', '*.müll.de', '10.0.0.1'] }
const allow: AutomodTrigger = { type: 'links', list: 'allow', hosts: ['good.com'] }
const invites: AutomodTrigger = { type: 'invites' }

const links = [
  'http://evil.com',
  'HTTPS://EVIL.COM/path',
  'https://sub.evil.com:8080/a?b#c',
  'https://good.com@evil.com/',
  'https://good.com:pass@evil.com',
  'https://%65vil.com',
  'https://evil.com.',
  'https:\\\\evil.com\\a',
  'https://evil。com',
  'https://ｅｖｉｌ．ｃｏｍ',
  'https://ev\u200bil.com',
  'https://evil\u2024com',
  'https://müll.de/a',
  'https://xn--mll-hoa.de',
  'http://10.0.0.1/',
  'http://167772161/',
]

test('AUTOMOD-25: links to a denied host and its subdomains are caught in every form', async () => {
  for (const link of links) {
    assert.ok(await excerptOf(deny, `see ${link} now`), link)
    assert.ok(await excerptOf(deny, `<${link}>`), `<${link}>`)
    assert.ok(await excerptOf(deny, `[text](${link})`), `[text](${link})`)
    assert.ok(await excerptOf(deny, `**${link}**`), `**${link}**`)
  }
})

test('AUTOMOD-25: a denied host is caught without a scheme too, other names are not', async () => {
  for (const text of [
    'evil.com',
    'see EVIL.com/path.',
    '(www.evil.com)',
    'a.b.evil.com',
    'ev**il**.com',
    'MÜLL.de',
    'evil。com',
  ])
    assert.ok(await excerptOf(deny, text), text)
  for (const text of [
    'notevil.com',
    'evil.com.example',
    'evil. com',
    'me@evil.com',
    'file.ts',
    'e.g. this',
    'evil',
    'https://evil.community',
    'https://example.com/evil',
  ])
    assert.equal(await excerptOf(deny, text), undefined, text)
})

test('AUTOMOD-26: with a list of allowed hosts, every other link is caught', async () => {
  for (const text of [
    'https://other.com',
    'www.other.com',
    '[good.com](https://other.com)',
    'https://good.com.other.com',
    'https://good.com@other.com',
    'https://good.com https://other.com',
    'https://10.0.0.1',
    'https://chat.example.org:444/x',
    'https://chat.example.org@other.com',
  ])
    assert.ok(await excerptOf(allow, text), text)
  for (const text of [
    'https://good.com',
    'http://a.good.com/b',
    '*https://good.com*',
    '(https://good.com), and',
    '||https://good.com||',
    'https://good.com: text',
    'https://chat.example.org/invite/a',
    'file.ts',
    'other.com',
    'e.g. this',
    'https://',
    '',
  ])
    assert.equal(await excerptOf(allow, text), undefined, text)
  assert.ok(await excerptOf({ type: 'links', list: 'allow', hosts: [] }, 'https://good.com'))
})

test('AUTOMOD-27: invites are caught, but for those of the space', async () => {
  const caught = [
    'https://chat.example.org/invite/Other1',
    'chat.example.org/invite/Other1',
    'https://elsewhere.example/invite/abcd',
    'https://elsewhere.example/%69nvite/abcd?x',
    'discord.gg/abc',
    'https://discord.gg/abc',
    'HTTPS://WWW.DISCORD.COM/INVITE/abc',
    'discordapp.com/invite/abc',
    'stt.gg/abc',
    'guilded.gg/abc',
    'fluxer.gg/abc',
    't.me/+abc',
    'https://t.me/joinchat/abc',
    'dis**cord**.gg/abc',
    'https://elsewhere.example/invite/OwnCode1',
  ]
  for (const text of caught) assert.ok(await excerptOf(invites, `join ${text} now`), text)
  const passed = [
    'https://chat.example.org/invite/OwnCode1',
    'chat.example.org/invite/OwnCode1.',
    'discord.gg',
    'https://discord.com/channels/1/2',
    't.me/name',
    'https://a.example/invited/x',
    'you are invited/invite me',
  ]
  for (const text of passed) assert.equal(await excerptOf(invites, `join ${text} now`), undefined, text)
})

test('AUTOMOD-25: the caught part is as the author wrote it', async () => {
  assert.equal(await excerptOf(deny, 'see https://ev\u200bil。com/a, now'), 'https://ev\u200bil。com/a')
  assert.equal(
    await excerptOf(deny, `https://evil.com/${'a'.repeat(200)}`),
    `https://evil.com/${'a'.repeat(83)}`,
  )
})

test('AUTOMOD-28: capitals are counted among letters with a case, without mentions, emojis and links', async () => {
  const id = '0198face-dead-7bad-beef-0123456789ab'
  const capitals: AutomodTrigger = { type: 'capitals', percent: 70, min_letters: 10 }
  for (const text of [
    'THIS IS LOUD',
    'ЭТО ОЧЕНЬ ГРОМКО',
    'THIS is LOUDER',
    `THIS IS LOUD https://a.example/quiet <:quiet:${id}>`,
  ])
    assert.ok(await excerptOf(capitals, text), text)
  for (const text of [
    'THIS IS',
    'This Is Not Loud',
    '1234567890!!',
    '日本語日本語日本語日本語',
    `<:LOUD_EMOJI_NAME:${id}> <@${id.toUpperCase()}>`,
    'see HTTPS://A.EXAMPLE/LOUD',
  ])
    assert.equal(await excerptOf(capitals, text), undefined, text)
})

test('AUTOMOD-29: links that are many or broken take linear time', { timeout: 20_000 }, async () => {
  const parts = [
    'https://',
    'a.',
    '.a',
    'a.bc ',
    '](',
    '[a](',
    'www.',
    'https://a@',
    'http:\\',
    '@a.bc',
    '%',
    '-.',
  ]
  for (const part of parts) {
    const text = part.repeat(100_000 / part.length)
    for (const trigger of [deny, allow, invites]) await excerptOf(trigger, text)
  }
})
