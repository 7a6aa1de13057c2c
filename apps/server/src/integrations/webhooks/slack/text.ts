import { withEmojis } from './emojis.ts'

/** Longer texts are cut before parsing: a message could not hold them anyway. */
const MAX_TEXT = 16_000

const CODE = /(```[\s\S]*?```|`[^`\n]+`)/
/** Placeholder for a reference: a code point that texts do not use. */
const HOLDER = '\u{10fffd}'
const REFERENCE = /<([^<>\n]+)>/g
const BOLD = /(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g
const STRUCK = /(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g

/** Converts Slack's "mrkdwn" to Markdown: links, mentions, bold and strikethrough. Code stays. */
export function markdownOf(mrkdwn: string): string {
  return (
    mrkdwn
      .slice(0, MAX_TEXT)
      // The cut may leave half a surrogate pair, which cannot be stored.
      .toWellFormed()
      .split(CODE)
      .map((part, index) => unescaped(index % 2 === 1 ? part : restyled(part)))
      .join('')
  )
}

/** Converts styles and emojis around references, never within: an address may contain stars. */
function restyled(text: string): string {
  const references: string[] = []
  const held = text.replaceAll(HOLDER, '').replace(REFERENCE, (_whole, inside: string) => {
    references.push(referenceOf(inside))
    return HOLDER
  })
  let next = 0
  return styled(withEmojis(held)).replaceAll(HOLDER, () => references[next++] ?? '')
}

function styled(text: string): string {
  return text.replace(BOLD, '**$1**').replace(STRUCK, '~~$1~~')
}

/** Converts `<https://… |text>`, `<!channel>`, `<@U1|name>` and `<#C1|name>`. */
function referenceOf(inside: string): string {
  const bar = inside.indexOf('|')
  const target = bar < 0 ? inside : inside.slice(0, bar)
  const label = bar < 0 ? '' : inside.slice(bar + 1)
  if (/^!(?:channel|everyone|here)$/.test(target)) return '@everyone'
  if (target.startsWith('!')) return label
  if (target.startsWith('@') || target.startsWith('#'))
    return `${target.slice(0, 1)}${(label || target.slice(1)).replace(/^[@#]/, '')}`
  if (target.startsWith('mailto:')) return label || target.slice('mailto:'.length)
  if (!/^https?:\/\//i.test(target)) return label || target
  return label === '' || label === target ? target : linkTo(label, target)
}

/** Returns a Markdown link with any label. */
export function linkTo(label: string, url: string): string {
  const address = url.replaceAll(/\s/g, '%20').replaceAll('(', '%28').replaceAll(')', '%29')
  return `[${label.replaceAll(/[[\]]/g, '\\$&')}](${address})`
}

/** Reverses Slack's escaping, which covers only these three characters. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
