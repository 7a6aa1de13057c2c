import { createHash } from 'node:crypto'

/** A piece of HTML. Only this file creates one, so every text from elsewhere is escaped. */
class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type { Markup }

type Value = string | number | Markup | readonly Markup[]

/** Template tag for HTML. Escapes every `${value}` that is not itself a piece of HTML. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const [first = '', ...rest] = strings
  return new Markup(first + rest.map((part, index) => rendered(values[index] ?? '') + part).join(''))
}

function rendered(value: Value): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map((piece) => piece.text).join('\n')
  return escaped(`${value}`)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

const STYLE = `
:root {
  color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  color: light-dark(#1b1b1f, #e8e8ec); background: light-dark(#fff, #17171a);
}
a { color: light-dark(#0b4fc0, #a8c7fa); }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
article { border-top: 1px solid #8886; padding: 0.75rem 0; }
article p { margin: 0.25rem 0; white-space: pre-wrap; }
time, .note { opacity: 0.75; font-size: 0.875rem; }
table { border-collapse: collapse; }
th, td { text-align: start; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; }
nav { margin: 1rem 0; display: flex; gap: 1rem; flex-wrap: wrap; }
`

/** Content Security Policy that allows only STYLE: a page loads nothing, runs nothing and sends nothing. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** Returns a page that needs no server and no other file. */
export function pageOf(title: string, body: Markup): string {
  const style = new Markup(`<style>${STYLE}</style>`)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${style}
</head>
<body>
${body}
</body>
</html>
`
  return page.text
}
