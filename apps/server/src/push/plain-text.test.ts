import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutEmphasis } from './emphasis.ts'
import { type Names, notificationText, shortened } from './plain-text.ts'

const ID = '01a1ffd1-4560-7002-8243-454afda941db'
const OTHER = '01a1ffd1-4560-7002-8243-454afda941dc'
const names: Names = {
  user: (id) => (id === ID ? 'ada_*x*' : undefined),
  role: (id) => (id === ID ? 'cooks' : undefined),
  room: (id) => (id === ID ? 'general' : undefined),
}

const texts: [content: string, plain: string][] = [
  ['**bold** *it* __under__ ~~no~~ _em_ ***all***', 'bold it under no em all'],
  ['snake_case_name 2 * 3 * 4', 'snake_case_name 2 * 3 * 4'],
  ['# Head\n> quote\n- item', 'Head quote - item'],
  ['see [here](https://example.org/a_b) \\*not\\*', 'see here *not*'],
  [`<@${ID}> <@&${ID}> <#${ID}> <:wave:${ID}> @everyone`, '@ada_*x* @cooks #general :wave: @everyone'],
  [`<@${OTHER}> <@&${OTHER}> <#${OTHER}>`, '@… @… #…'],
  ['a ||secret|| b ||two\nlines|| c', 'a █████ b █████ c'],
  ['||||x|||| ||open', '█████ ||open'],
  [`||<@${ID}>||`, '█████'],
  ['`a || b || **c**` ||d||', 'a || b || **c** █████'],
  ['\\`||secret||`', '`█████`'],
  ['`open\n||secret||`', '`open █████`'],
  ['```js\nlet a = 1\n```', 'let a = 1'],
  ['```\n||secret||\n```', '█████'],
  ['over\u202eride\u0000 \u2066x', 'override x'],
  ['*one **two** three* ~~a *b~~ c*', 'one two three a *b c*'],
  ['**open *closed*', '**open closed'],
  ['*not\nover lines*', '*not over lines*'],
  ['__init__ ****four**** \\__out\\__', 'init four __out__'],
  ['', ''],
]

for (const [content, plain] of texts) {
  test(`PUSH-11: ${JSON.stringify(content)} becomes ${JSON.stringify(plain)}`, () => {
    assert.equal(notificationText(content, names), plain)
  })
}

test('PUSH-11: a long text is cut between characters', () => {
  assert.equal(shortened('abc', 3), 'abc')
  assert.equal(shortened('abcd', 3), 'ab…')
  assert.equal(shortened('😀😀😀', 3), '😀😀😀')
  assert.equal(shortened('😀😀😀😀', 3), '😀😀…')
})

test('PUSH-11: any message is read in linear time', () => {
  const began = process.cpuUsage()
  for (const part of ['`', '||', '*', '_', '**a', '[', '[a](', '\\', '<@', '> ', '~~a ', '` ', '|| '])
    notificationText(part.repeat(4000).slice(0, 4000), names)
  // Exponential time would take minutes for each.
  assert.ok(process.cpuUsage(began).user < 20_000_000)
})

test('PUSH-11: unclosed markup costs no more than other text', () => {
  const began = process.cpuUsage()
  for (const part of ['*a ', '~~a ', '__a ', '*a~~ ', '**a *b ~~c']) {
    for (let time = 0; time < 100; time += 1) notificationText(part.repeat(4000).slice(0, 4000), names)
    withoutEmphasis(part.repeat(20_000))
  }
  // A tenth of a second. An expression that searches each mark's end separately takes forty times as long.
  assert.ok(process.cpuUsage(began).user < 1_000_000)
})

test('PUSH-11: the beginning of a long message is used, and no spoiler that ends after it', () => {
  assert.equal(notificationText(`a ||${'secret '.repeat(300)}|| b`, names), 'a █████…')
  assert.equal(notificationText(`${'||a|| '.repeat(200)}`, names).match(/a/g), null)
  assert.equal(notificationText('a'.repeat(1001), names), `${'a'.repeat(1000)}…`)
})
