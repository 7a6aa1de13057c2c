import { createHash } from 'node:crypto'
import { type Html, html, nothing, raw } from './html.ts'
import type { Words } from './words.ts'

/** Everything around the content of a page. */
export interface Layout {
  readonly words: Words
  readonly title: string
  readonly description: string
  /** Public origin of this server, like `https://chat.example.org`. */
  readonly origin: string
  /** The page's canonical path. */
  readonly path: string
  /** Breadcrumbs from the server's first page to this one. */
  readonly trail: readonly { readonly name: string; readonly path: string }[]
  readonly feed?: string | undefined
  readonly earlier?: string | undefined
  readonly later?: string | undefined
  readonly isArticle?: boolean
  readonly content: Html
}

const STYLE = `:root{color-scheme:light dark;background:Canvas;color:CanvasText}
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
.skip-link:not(:focus){position:absolute;left:-99rem}
nav a,.n a{margin-right:.75em}
h1{font-size:1.5rem;line-height:1.25}
h2{font-size:1.1rem}
article{border-top:1px solid #8885;padding:.5rem 0}
article h2{font-size:1rem;margin:0}
article h2 time,small{font-weight:400;font-size:.85rem;opacity:.75}
.h{font-weight:700;font-size:1.15rem}
pre{overflow:auto;background:#8882;padding:.5rem}
blockquote{border-left:.25rem solid #8886;margin:0;padding-left:.75rem}
img{max-width:100%;height:auto}
.s :not(:checked)~span{display:none}
p{margin:.25rem 0}`

const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** Forbids scripts, frames, and everything from other origins. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; img-src 'self'; style-src ${STYLE_SOURCE}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const style = raw(`<style>${STYLE}</style>`)

export function layOut(layout: Layout): string {
  const { words, title, description, origin, path, feed, earlier, later, content } = layout
  const url = `${origin}${path}`
  const page = html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
${linkTo('prev', earlier)}${linkTo('next', later)}${feedLink(feed, title)}<meta property="og:type" content="${layout.isArticle ? 'article' : 'website'}">
<meta property="og:site_name" content="Foyer">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${origin}/icon-512.png">
<link rel="icon" href="/favicon.svg">
${style}
</head>
<body>
<a class="skip-link" href="#content">${words.skip}</a>
${trailOf(layout)}<main id="content">
${content}
${stepping(layout)}</main>
</body>
</html>
`
  return page.text
}

function trailOf({ trail }: Layout): Html {
  if (trail.length === 0) return nothing
  return html`<nav>${trail.map(({ name, path }) => html`<a href="${path}">${name}</a> `)}</nav>\n`
}

function linkTo(relation: 'prev' | 'next', path: string | undefined): Html {
  return path === undefined ? nothing : html`<link rel="${relation}" href="${path}">\n`
}

function feedLink(path: string | undefined, title: string): Html {
  if (path === undefined) return nothing
  return html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${path}">\n`
}

function stepping({ words, earlier, later }: Layout): Html {
  if (earlier === undefined && later === undefined) return nothing
  const step = (relation: 'prev' | 'next', name: string, path: string | undefined) =>
    path === undefined ? nothing : html`<a rel="${relation}" href="${path}">${name}</a> `
  return html`<p class="n">${step('prev', words.earlier, earlier)}${step('next', words.later, later)}</p>\n`
}
