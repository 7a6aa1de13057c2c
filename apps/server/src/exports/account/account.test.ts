import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Reports } from '@foyer/sdk/api/reports'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { emailOf } from '#test/scenes/accounts.ts'
import { acquaint, makeDirect, say } from '#test/scenes/conversations.ts'
import { type Owner, rowsIn, signUpOwner, takeExport, textIn, type Unpacked } from '#test/scenes/exports.ts'
import { note, postForm } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Owner & Person
let ben: Person
let space: TestSpace

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

async function makeScene(name: string): Promise<void> {
  const owner = await signUpOwner(server, name)
  ben = await createPerson(server, `${name}sfriend`)
  ada = { ...ben, ...owner }
  ada.call = async (method, path, body) => {
    const isForm = body instanceof FormData
    const headers = { ...owner.credentials, ...(isForm ? {} : { 'content-type': 'application/json' }) }
    const given = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
    const answer = await server.fetch(path, { method, headers, ...given })
    return { status: answer.status, code: answer.headers.get('x-error-code'), body: await answer.json() }
  }
  await acquaint(server, [ada, ben])
  space = await makeSpace(ben, [ada])
}

const everythingIn = (files: Unpacked) => [...files.values()].map((bytes) => bytes.toString()).join('\n')

test('EXPORT-5: it has what the person wrote, by room and conversation, and nothing that others wrote', async () => {
  await makeScene('nina')
  await ben.client.messages.create(space.general, { content: 'written by the friend' })
  await ada.client.messages.create(space.general, { content: 'a first word' })
  const { id } = await ada.client.messages.create(space.general, { content: 'a gone word' })
  await ada.client.messages.delete(space.general, id)
  const direct = await makeDirect(server, ada, ben)
  await say(ben, direct.id, 'whispered by the friend')
  await say(ada, direct.id, 'my own whisper')
  const files = await takeExport(server, ada)
  const inRoom = rowsIn(files, `messages/${space.general}/1.json`)
  assert.deepEqual(
    inRoom.filter(({ content }) => content !== '').map(({ content }) => content),
    ['a first word'],
  )
  assert.match(textIn(files, `messages/${space.general}/1.html`), /a first word/)
  assert.match(textIn(files, `messages/${direct.id}/1.html`), /my own whisper/)
  assert.doesNotMatch(everythingIn(files), /by the friend|a gone word/)
  assert.match(textIn(files, 'index.html'), /#general.*@ninasfriend/s)
})

test('EXPORT-5: pages have 1000 messages, and lead to each other', async () => {
  await makeScene('paula')
  await server.deps.database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${space.id}, ${space.general}, gen_random_uuid(), 100000 + n, ${ada.id}, 'word ' || n, now()
    from generate_series(1, 2000) n`)
  const files = await takeExport(server, ada)
  const numbers = [1, 2, 3].map((number) => files.has(`messages/${space.general}/${number}.json`))
  const written = [1, 2, 3].flatMap((number) =>
    files.has(`messages/${space.general}/${number}.json`)
      ? rowsIn(files, `messages/${space.general}/${number}.json`)
      : [],
  )
  assert.deepEqual(numbers.slice(0, 2), [true, true])
  const words = new Set(written.map(({ content }) => content).filter((text) => `${text}`.startsWith('word ')))
  assert.equal(words.size, 2000)
  assert.match(textIn(files, `messages/${space.general}/1.html`), /href="2\.html"/)
  assert.match(textIn(files, `messages/${space.general}/2.html`), /href="1\.html"/)
})

test('EXPORT-5: a room that the person does not see any more has no name', async () => {
  await makeScene('rosa')
  await ada.client.messages.create(space.general, { content: 'here' })
  await ben.client.rooms.update(space.id, space.general, { name: 'secret-plan' })
  await ben.client.members.kick(space.id, ada.id)
  const files = await takeExport(server, ada)
  assert.match(textIn(files, 'index.html'), /A space you have left/)
  assert.doesNotMatch(everythingIn(files), /secret-plan/)
})

test('EXPORT-9: it has the files of the own messages and the own pictures, byte by byte', async () => {
  await makeScene('tilda')
  const posted = await postForm(
    ada,
    space.general,
    formOf(['content', 'look'], ['files', note('my file', 'notes.txt')]),
  )
  assert.equal(posted.status, 200)
  await postForm(
    ben,
    space.general,
    formOf(['content', 'theirs'], ['files', note('their file', 'theirs.txt')]),
  )
  await ada.client.users.updateMe({ avatar: await png() })
  const files = await takeExport(server, ada)
  const [message] = rowsIn(files, `messages/${space.general}/1.json`).filter(
    ({ content }) => content === 'look',
  )
  const [file] = Array.isArray(message?.files) ? message.files : []
  assert.deepEqual([file.name, file.missing], ['notes.txt', null])
  assert.equal(textIn(files, file.path), 'my file')
  assert.equal([...files.keys()].filter((name) => name.startsWith('files/')).length, 2)
})

test('EXPORT-9: a file whose object is gone, or whose storage does not answer, is listed with the reason', async () => {
  await makeScene('ulla')
  const posted = await postForm(ada, space.general, formOf(['files', note('lost', 'lost.txt')]))
  assert.equal(posted.status, 200)
  const [file] = await server.deps.database.execute<{ tenant_id: string; id: string }>(
    sql`select tenant_id, id from attachments where owner_id = ${ada.id} and purpose = 'message'`,
  )
  await server.deps.stores.own.delete(`${file?.tenant_id}/${file?.id}`)
  const files = await takeExport(server, ada)
  assert.match(
    textIn(files, `messages/${space.general}/1.html`),
    /lost\.txt<\/bdi> <span class="note">\(deleted\)/,
  )
})

test('EXPORT-6: it has no secret, no address of others and no copy of what others wrote', async () => {
  await makeScene('vera')
  await ben.client.messages.create(space.general, { content: 'reported words' })
  await ada.client.friends.block((await createPerson(server, 'verasenemy')).id)
  await ada.client.api(Reports).create({ user_id: ben.id, reason: 'spam', text: 'my report' })
  const { code } = await ada.client.invites.create(space.id, space.general)
  const files = await takeExport(server, ada)
  const all = everythingIn(files)
  assert.match(all, new RegExp(emailOf('vera')))
  assert.match(all, /my report/)
  const [row] = await server.deps.database.query<{ hash: string }>(
    sql`select password_hash as hash from users where id = ${ada.id}`,
  )
  for (const secret of [
    row?.hash ?? 'no hash',
    'password_hash',
    emailOf('verasfriend'),
    code,
    'reported words',
  ])
    assert.ok(!all.includes(secret), secret)
  for (const header of Object.values(ada.credentials)) assert.ok(!all.includes(header))
})

test('EXPORT-6: a forward has nothing of the files that it passes on', async () => {
  await makeScene('yvonne')
  const form = formOf(['content', 'look'], ['files', note('bytes of the friend', 'friendly.txt')])
  const posted = await postForm(ben, space.general, form)
  assert.equal(posted.status, 200)
  const [original] = await ada.client.messages.list(space.general, { limit: 1 })
  await server.deps.database.execute(sql`
    update attachments set description = 'described by the friend' where owner_id = ${ben.id}`)
  const { id } = await ada.client.messages.create(space.lounge, {
    content: '',
    reference: { type: 1, message_id: original?.id ?? '', room_id: space.general },
  })
  const copies = await server.deps.database.query(sql`select from attachments where message_id = ${id}`)
  assert.equal(copies.length, 1)
  const files = await takeExport(server, ada)
  const [forward] = rowsIn(files, `messages/${space.lounge}/1.json`)
  assert.deepEqual([forward?.is_forward, forward?.has_files, forward?.files], [true, false, []])
  assert.doesNotMatch(everythingIn(files), /bytes of the friend|friendly\.txt|described by the friend/)
})

test('EXPORT-5: it has the relations, settings and deeds of the person', async () => {
  await makeScene('wilma')
  const enemy = await createPerson(server, 'wilmasenemy')
  await ada.client.friends.block(enemy.id)
  const { id } = await ben.client.messages.create(space.general, { content: 'hi' })
  await ada.client.reactions.add({ channel: space.general, id }, '👍')
  const own = await makeSpace(ben)
  await server.deps.database.execute(sql`
    insert into audit_log (space_id, id, action, actor_id, target_type, target_id, target_name)
    values (${own.id}, ${newId()}, 'room_create', ${ada.id}, 'room', ${newId()}, 'named by others')`)
  const files = await takeExport(server, ada)
  assert.equal(rowsIn(files, 'data/friends.json')[0]?.username, 'wilmasfriend')
  assert.equal(rowsIn(files, 'data/blocks.json')[0]?.blocked_id, enemy.id)
  assert.equal(rowsIn(files, 'data/spaces.json')[0]?.space_id, space.id)
  assert.equal(rowsIn(files, 'data/sessions.json').length, 1)
  assert.deepEqual(
    rowsIn(files, 'data/reactions.json').map(({ message_id, emoji }) => [message_id, emoji]),
    [[id, '👍']],
  )
  const log = textIn(files, 'data/audit-log.json')
  assert.match(log, /room_create/)
  assert.doesNotMatch(log, /named by others/)
})

test('EXPORT-8: nothing that a person wrote runs, loads or leads out of the folder', async () => {
  await makeScene('xenia')
  const hostile = '<script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>"\'&\u202etxt'
  await ada.client.messages.create(space.general, { content: hostile })
  await ada.client.users.updateMe({ alias: '\u202e<b>evil</b>' })
  const names = [
    '../../x',
    '/etc/passwd',
    'C:\\x.exe',
    '\u202egnp.exe',
    'con',
    '.htaccess',
    '<b>.txt',
    'a" onerror="x',
  ]
  for (const name of names) {
    await postForm(ada, space.general, formOf(['files', note('bytes', 'plain.txt')]))
    // Past the check of names, which refuses some of them.
    await server.deps.database.execute(sql`
      update attachments set filename = ${name} where owner_id = ${ada.id} and filename = 'plain.txt'`)
  }
  const files = await takeExport(server, ada)
  const pages = [...files].filter(([name]) => name.endsWith('.html') && !name.startsWith('files/'))
  assert.equal(pages.length, 2)
  for (const [, bytes] of pages) {
    const page = bytes.toString()
    assert.match(page, /Content-Security-Policy" content="default-src &#39;none&#39;/)
    assert.doesNotMatch(page, /<script|<img|<b>|<[^>]*\son\w+=|(?:src|href)="(?:https?:|\/|\\)/i)
  }
  assert.match(textIn(files, `messages/${space.general}/1.html`), /&lt;script&gt;alert\(1\)/)
  for (const name of files.keys())
    assert.match(name, /^(?:index\.html|(?:data|messages|files)\/[\p{L}\p{N}._/-]+)$/u)
  const attached = [...files.keys()].filter((name) => name.startsWith('files/'))
  assert.equal(attached.length, names.length)
  for (const name of attached) assert.match(name, /^files\/[0-9a-f-]{36}-[^/]+$/)
})
