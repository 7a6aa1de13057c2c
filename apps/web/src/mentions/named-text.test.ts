import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speak } from '#src/language/texts.ts'
import { sampleRoom, sampleUser } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { asSent, asWritten, freeName } from './named-text.ts'
import { excerpt } from './readable.ts'

const id = (end: number) => `0198c0de-0000-7000-8000-00000000000${end}`
const wave = { id: id(9), name: 'wave' }

const people = [sampleUser(id(1), { alias: 'Alex' }), sampleUser(id(2), { alias: 'Alex' })]
const state = {
  ...initialState,
  users: Object.fromEntries(people.map((user) => [user.id, user])),
  rooms: { [id(3)]: sampleRoom(id(3), { name: 'general' }) },
}
const names = {
  spaceId: 'space',
  nameOf: (user: { alias: string | null }) => user.alias ?? '',
  emojis: [wave],
}

test('names are replaced, the longest first, but not inside other words or code', () => {
  const named = { '@Max': '<@1>', '@Max Power': '<@2>', '#general': '<#3>' }
  const sent = (content: string) => asSent(content, named, [wave])
  assert.equal(sent('@Max Power and @Max, see #general :wave:'), `<@2> and <@1>, see <#3> <:wave:${id(9)}>`)
  assert.equal(sent("@Max's @Maximilian @Maxé"), "<@1>'s @Maximilian @Maxé")
  assert.equal(sent('`@Max` ```\n@Max\n``` @Max'), '`@Max` ```\n@Max\n``` <@1>')
  assert.equal(asSent('a.b', { 'a?b': '<@1>' }, []), 'a.b')
})

test('a sent text is converted back unchanged, even if people share a name', () => {
  const text = `<@${id(1)}> and <@${id(2)}> in <#${id(3)}> \`<@${id(1)}>\` <:wave:${id(9)}> <@${id(7)}>`
  const { content, named } = asWritten(state, names, text)
  assert.equal(content, `@Alex and @Alex 2 in #general \`<@${id(1)}>\` :wave: <@${id(7)}>`)
  assert.equal(asSent(content, named, [wave]), text)
})

test('the second of two people with the same name gets the username added', () => {
  assert.equal(freeName({}, '@Alex', '<@1>', 'alex'), '@Alex')
  assert.equal(freeName({ '@Alex': '<@1>' }, '@Alex', '<@1>', 'alex'), '@Alex')
  assert.equal(freeName({ '@Alex': '<@1>' }, '@Alex', '<@2>', 'alex2'), '@Alex (alex2)')
})

test('an excerpt is one line with names, and hides spoilers', () => {
  const text = `# **Hi** <@${id(1)}>,\nit was ||the butler||\n\`\`\`js\nx\n\`\`\``
  assert.equal(excerpt(state, names, text), 'Hi @Alex, it was ▇▇▇ x')
  assert.equal(excerpt(state, names, 'snake_case * b'), 'snake_case * b')
  const people = [sampleUser(id(5), { alias: 'Zoë' })]
  assert.equal(
    excerpt(state, { ...names, people }, `<@${id(5)}> <@${id(6)}> <#${id(6)}> <@&${id(6)}>`),
    '@Zoë @unknown #unknown @unknown role',
  )
})

test('an excerpt loses one level of markup, and keeps unclosed marks', () => {
  const plain = (text: string) => excerpt(state, names, text)
  assert.equal(plain('**a *b* c** `d` ~~e~~ __f__ *g*'), 'a *b* c d e f g')
  assert.equal(plain('**a *b* 2 * 3 *c\nd* \\*e* x*f* *g*h'), '*a *b 2 * 3 *c d* \\*e* x*f* *g*h')
  assert.equal(plain('```ts\na```b```\nc```'), 'abc')
})

test('an excerpt of unclosed marks takes linear time', () => {
  const began = process.cpuUsage()
  for (const text of ['*a '.repeat(40_000), '**a ~~b '.repeat(15_000), `\`\`\`${'a'.repeat(120_000)}`])
    assert.equal(excerpt(state, names, text), text.trim())
  // An expression with a backreference takes a minute.
  assert.ok(process.cpuUsage(began).user < 3_000_000)
})

test('an excerpt names unknown users and rooms in the viewer’s language', (context) => {
  context.after(() => speak('en', {}))
  speak('de', { '@unknown': '@unbekannt', '#unknown': '#unbekannt' })
  assert.equal(excerpt(state, names, `<@${id(6)}> <#${id(6)}>`), '@unbekannt #unbekannt')
})
