import { withEmojis } from './slack-emojis.ts'

/** Longer texts are cut before they are looked at: what is left of them would not fit into a message anyway. */
const MAX_TEXT = 16_000

const CODE = /(```[\s\S]*?```|`[^`\n]+`)/
/** Stands where a reference was: no text has a use for it. */
const HOLDER = '\u{10fffd}'
const REFERENCE = /<([^<>\n]+)>/g
const BOLD = /(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g
const STRUCK = /(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g

/** Slack's "mrkdwn" as Markdown: its links, mentions, bold and struck text; code stays as it is. */
export function markdownOf(mrkdwn: string): string {
  return (
    mrkdwn
      .slice(0, MAX_TEXT)
      // Half an emoji is no text that can be stored.
      .toWellFormed()
      .split(CODE)
      .map((part, index) => unescaped(index % 2 === 1 ? part : restyled(part)))
      .join('')
  )
}

/** Styles and emojis are looked for around references, and never within: an address may have stars in it. */
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

/** `<https://… |text>`, `<!channel>`, `<@U1|name>`, `<#C1|name>`. */
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

/** A link in Markdown, whatever stands in its label. */
export function linkTo(label: string, url: string): string {
  const address = url.replaceAll(/\s/g, '%20').replaceAll('(', '%28').replaceAll(')', '%29')
  return `[${label.replaceAll(/[[\]]/g, '\\$&')}](${address})`
}

/** Slack escapes these three, and nothing else. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
