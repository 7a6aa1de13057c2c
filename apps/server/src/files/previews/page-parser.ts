import { Parser } from 'htmlparser2'

/** Metadata in the head of a page. */
export interface PageHead {
  title: string
  /** Key: name or property in lowercase. Value: its first content. */
  meta: ReadonlyMap<string, string>
  /** Address of the page's oEmbed data in JSON. */
  oembed: string | undefined
}

const MAX_TITLE = 4096
const MAX_VALUE = 8192
const MAX_META = 500
const MAX_TAGS = 5000
/** Characters parsed between two checks for the end of the head. */
const SLICE = 4096
/** Media type of the <link> to a page's oEmbed data. Links of other types are ignored. */
const OEMBED_TYPE = 'application/json+oembed'

/** Parses the head of a page as it arrives, up to a limit of tags. */
export class PageParser {
  readonly #parser: Parser
  readonly #meta = new Map<string, string>()
  #title: string | undefined
  #isInTitle = false
  #oembed: string | undefined
  #tags = 0
  #isDone = false

  constructor() {
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      onclosetag: (name) => this.#close(name),
      ontext: (text) => this.#take(text),
    })
  }

  /** Parses more text of the page. @returns false once no further text is needed */
  write(text: string): boolean {
    for (let at = 0; at < text.length && !this.#isDone; at += SLICE)
      this.#parser.write(text.slice(at, at + SLICE))
    return !this.#isDone
  }

  end(): PageHead {
    return { title: this.#title ?? '', meta: this.#meta, oembed: this.#oembed }
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#tags += 1
    if (name === 'body' || this.#tags > MAX_TAGS) this.#isDone = true
    if (this.#isDone) return
    if (name === 'title' && this.#title === undefined) {
      this.#title = ''
      this.#isInTitle = true
    }
    if (name === 'meta') this.#takeMeta(attributes)
    if (name === 'link') this.#takeLink(attributes)
  }

  #close(name: string): void {
    if (name === 'title') this.#isInTitle = false
    if (name === 'head') this.#isDone = true
  }

  #take(text: string): void {
    if (this.#isInTitle && (this.#title ?? '').length < MAX_TITLE) this.#title += text
  }

  #takeMeta({ property, name, content }: Record<string, string>): void {
    const key = (property ?? name ?? '').trim().toLowerCase()
    if (key === '' || content === undefined || this.#meta.has(key) || this.#meta.size >= MAX_META) return
    this.#meta.set(key, content.slice(0, MAX_VALUE))
  }

  #takeLink({ rel = '', type = '', href }: Record<string, string>): void {
    const isOembed = /\balternate\b/i.test(rel) && type.trim().toLowerCase() === OEMBED_TYPE
    if (isOembed) this.#oembed ??= href?.slice(0, MAX_VALUE)
  }
}
