import { randomUUID } from 'node:crypto'
import { isAscii } from './addresses.ts'

/** A paragraph of text, or an address on a line of its own. */
export type Paragraph = string | { link: string }

/** Returns headers and body of a mail with the same content as text and as HTML, all ASCII. */
export function alternatives(subject: string, paragraphs: readonly Paragraph[]) {
  const boundary = `=_${randomUUID()}`
  const text = `${paragraphs.map(asText).join('\n\n')}\n`
  const parts = [partOf('plain', text), partOf('html', asDocument(subject, paragraphs))]
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join('')
  return {
    header: `Content-Type: multipart/alternative; boundary="${boundary}"`,
    body: `${body}--${boundary}--\n`,
  }
}

/** Leaves ASCII unencoded, so that links stay in one piece in the files of the mailbox folder. */
function partOf(kind: 'plain' | 'html', content: string): string {
  const isPlain = isAscii(content)
  const encoding = isPlain ? '7bit' : 'base64'
  const head = `Content-Type: text/${kind}; charset=utf-8\nContent-Transfer-Encoding: ${encoding}\n\n`
  return head + (isPlain ? content : inLines(Buffer.from(content).toString('base64')))
}

function asText(paragraph: Paragraph): string {
  return typeof paragraph === 'string' ? paragraph : paragraph.link
}

/** Writes HTML without pictures, styles or scripts: it loads nothing, and looks like the mail program's own text. */
function asDocument(subject: string, paragraphs: readonly Paragraph[]): string {
  const head = `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>\n`
  return `${head}<body>\n${paragraphs.map(asHtml).join('\n')}\n</body>\n</html>\n`
}

function asHtml(paragraph: Paragraph): string {
  const text = escaped(asText(paragraph))
  return typeof paragraph === 'string' ? `<p>${text}</p>` : `<p><a href="${text}">${text}</a></p>`
}

/** Escapes HTML's special characters, and all that are not ASCII, by number. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']|[^\n\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`)
}

function inLines(text: string): string {
  return text.replaceAll(/.{76}/g, '$&\n')
}
