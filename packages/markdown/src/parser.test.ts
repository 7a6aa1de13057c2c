import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMisleading } from './links.ts'
import { type Block, type Inline, plainText } from './nodes.ts'
import { parse } from './parser.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

/** Describes the tree in short: `bold(x)`, with ` / ` between blocks. */
function outline(blocks: readonly Block[]): string {
  return blocks.map((block) => '~'.repeat(block.gap) + blockOutline(block)).join(' / ')
}

function blockOutline(block: Block): string {
  if (block.kind === 'paragraph') return lineOutline(block.children)
  if (block.kind === 'heading') return `h${block.level}(${lineOutline(block.children)})`
  if (block.kind === 'quote') return `quote(${outline(block.blocks)})`
  if (block.kind === 'fence') return `code[${block.language}](${block.text})`
  return `list[${block.start ?? ''}](${block.items.map(outline).join(' | ')})`
}

function lineOutline(nodes: readonly Inline[]): string {
  return nodes.map(inlineOutline).join('')
}

function inlineOutline(node: Inline): string {
  if (node.kind === 'text') return node.text
  if (node.kind === 'break') return '⏎'
  if (node.kind === 'link') return `link[${node.href}](${lineOutline(node.children)})`
  if ('children' in node) return `${node.kind}(${lineOutline(node.children)})`
  return `${node.kind}(${'id' in node ? node.id : node.text})`
}

function assertOutlines(expected: Readonly<Record<string, string>>): void {
  for (const [text, outlined] of Object.entries(expected)) assert.equal(outline(parse(text)), outlined, text)
}

test('inline marks format text as in other chats', () => {
  assertOutlines({
    '**b** *i* _i_ __u__ ~~s~~ `c`': 'bold(b) italic(i) italic(i) underline(u) strike(s) code(c)',
    '***both***': 'italic(bold(both))',
    snake_case_name: 'snake_case_name',
    '2 * 3 * 4': '2 * 3 * 4',
    '\\*plain\\*': '*plain*',
    '<b>&lt;</b>': '<b>&lt;</b>',
    '![a](https://a.org/b.png)': '!link[https://a.org/b.png](a)',
  })
})

test('line breaks and empty lines are kept', () => {
  assertOutlines({ 'a\nb\n\n\nc': 'a⏎b / ~~c', '- a\n\nb': 'list[](a) / ~b' })
})

test('blocks that begin a line end with it', () => {
  assertOutlines({
    '> a\n> b\nc': 'quote(a⏎b) / c',
    '> a\n> > b': 'quote(a / quote(b))',
    '- a\n- b\nc': 'list[](a | b) / c',
    '3. a\n4. b': 'list[3](a | b)',
    '# a\nb': 'h1(a) / b',
    '#a\n#### b\n#': '#a⏎#### b⏎#',
    '-no list': '-no list',
  })
})

test('code is kept as written, and unclosed code is plain text', () => {
  assertOutlines({
    '```js\nlet **a**\n\n  b\n```\nc': 'code[js](let **a**\n\n  b) / c',
    '```\na``` b': 'code[](a) / b',
    '```two words\nx\n```': 'code[](two words\nx)',
    'a ```b``` c': 'a code(b) c',
    '```a\nb': '```a⏎b',
    '> ```\n> a\n> ```\nb': 'quote(code[](a)) / b',
  })
})

test('a spoiler hides all kinds of text, including spaces at its ends', () => {
  assertOutlines({
    '||a **b**|| c': 'spoiler(a bold(b)) c',
    '|| a ||': 'spoiler( a )',
    '**||a||**': 'bold(spoiler(a))',
    'a || b': 'a || b',
    '||||': '||||',
    '`||a||`': 'code(||a||)',
  })
})

test('URLs are linked without surrounding marks, and only http(s) and mailto', () => {
  assertOutlines({
    'see https://a.org/b_c_d, or (https://b.org/(c)).':
      'see link[https://a.org/b_c_d](https://a.org/b_c_d), or (link[https://b.org/(c)](https://b.org/(c))).',
    '**https://a.org**': 'bold(link[https://a.org](https://a.org))',
    '||https://a.org||': 'spoiler(link[https://a.org](https://a.org))',
    '<https://a.org>': 'link[https://a.org](https://a.org)',
    '<me@a.org>': 'link[mailto:me@a.org](me@a.org)',
    '[a](https://b.org "t")': 'link[https://b.org](a)',
    '[a](javascript:b)': '[a](javascript:b)',
    '[a]() [**b**]()': '[a]() [bold(b)]()',
    '<javascript:a> data:text/html,a xhttps://a.org': '<javascript:a> data:text/html,a xhttps://a.org',
    'https:// http://': 'https:// http://',
  })
})

test('mentions are found, but not in code', () => {
  assertOutlines({
    [`<@${ID}> <@&${ID}> <#${ID}>`]: `user(${ID}) role(${ID}) room(${ID})`,
    [`<:wave:${ID}>`]: `emoji(${ID})`,
    'hey @everyone and @here!': 'hey everyone(@everyone) and everyone(@here)!',
    '@everyones <@1>': '@everyones <@1>',
    [`\`<@${ID}> @here\``]: `code(<@${ID}> @here)`,
  })
})

test('a link whose text looks like another host is misleading', () => {
  assert.ok(isMisleading('https://bank.com', 'https://evil.org/x'))
  assert.ok(isMisleading('log in at bank.com', 'https://evil.org'))
  for (const text of ['https://evil.org/login', 'evil.org', 'click here', 'e.g. this'])
    assert.equal(isMisleading(text, 'https://evil.org/x'), false, text)
})

test('hostile texts neither nest too deep nor lose text', () => {
  const repeated = [
    '>',
    '*',
    '**a',
    '||a',
    '[',
    '[a](',
    '`',
    '~~',
    '- ',
    '1. ',
    '<@',
    '_*',
    '```\n',
    '\\',
    '>> ',
  ]
  for (const part of repeated) {
    const blocks = parse(part.repeat(Math.ceil(4000 / part.length)).slice(0, 4000))
    assert.ok(depthOf(blocks) < 40, `${part}: ${depthOf(blocks)}`)
  }
  assert.equal(textOf(parse('[a]('.repeat(1000))), '[a]('.repeat(1000))
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => ('children' in block ? plainText(block.children) : '')).join('\n')
}
