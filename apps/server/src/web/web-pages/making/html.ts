/** A piece of HTML. Only `html` and `raw` make one, so every other text is escaped when it is inserted. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

/** Makes HTML from a template. Values that are not HTML are escaped, also within quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? ''
  for (let index = 0; index < parts.length; index += 1)
    text += textOf(parts[index] ?? '') + (strings[index + 1] ?? '')
  return new Html(text)
}

/** @param text HTML that no user wrote */
export function raw(text: string): Html {
  return new Html(text)
}

export const nothing = new Html('')

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return escaped(String(part))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it removes
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Characters to escape or remove. Most texts have none, and one search for all of them is fast. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it finds
const SPECIAL = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/

/** Escapes a text for HTML and XML. */
export function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(UNFIT, '').replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
