import { RoomType } from '@foyer/protocol/rooms'
import type { Page } from 'playwright-core'
import type { Person } from './person.ts'
import { gather, type Settled } from './settled.ts'

const HACK = 'window.__hacked=1'
/** Right-to-left override: reverses all text after it. */
export const OVERRIDE = '\u202e'
/** Text of the last message. Once it is shown, all other messages have been drawn. */
export const LAST = 'That was all.'

/** Names of users, a space, a room, a role and a file, which try to run code or to break the layout. */
export const NAMES = {
  mira: `<img src=x onerror="${HACK}">`,
  jonas: `Jonas${OVERRIDE}sanoj\u2067\u2066`,
  lena: `Le\u0301${'\u0336\u0316\u0353\u0489'.repeat(10)}na`,
  space: `<script>${HACK}</script>${OVERRIDE}`,
  room: `W${OVERRIDE}${'W'.repeat(90)}`,
  role: `"><svg onload=${HACK}>${OVERRIDE}`,
  file: `"><img src=x onerror=${HACK}>${'n'.repeat(200)}.html`,
}

const MOST_LETTERS = 4000
const MARKS = ['> ', '[', ']', '(', '`', '``` ', '||', '**', '<@', '~~', '- ', '# ']

/** Messages that try to run code, to break the layout, or to overload the parser. */
const TEXTS = [
  `<script>${HACK}</script><img src=x onerror=${HACK}><svg/onload=${HACK}>`,
  `[one](javascript:${HACK}) [two](data:text/html,<script>${HACK}</script>) <javascript:${HACK}>`,
  `[three](JaVaScRiPt:${HACK}) [four](vbscript:x) [five](https://a.example" onmouseover="${HACK})`,
  `![six](https://evil.example/x.png) <a href="javascript:${HACK}" onclick="${HACK}">seven</a> &lt;b&gt;`,
  `\`\`\`html\n<iframe srcdoc="<script>${HACK}</script>"></iframe>\n\`\`\``,
  `{{constructor.constructor("${HACK}")()}} \${${HACK}} <@00000000-0000-4000-8000-000000000000>`,
  ...MARKS.map((mark) => mark.repeat(1000)),
  `${'> '.repeat(500)}deep`,
  '🎉'.repeat(4000),
  'Z\u0336\u0316\u0353\u0489\u0341\u0301'.repeat(600),
  `${OVERRIDE}this is turned around`,
  `\u2067\u2067\u202eand \u05e2\u05d1\u05e8\u05d9\u05ea mixed \u2069\u2069\u2069`,
  'w'.repeat(4000),
  `\`${'c'.repeat(2000)}\` **${'b'.repeat(1900)}**`,
  `https://a.example/${'p'.repeat(1900)} #${'h'.repeat(1900)}`,
  `| ${'t|'.repeat(1500)}`,
]

/** Creates a space with the names of NAMES, and a room full of the messages of TEXTS. */
export async function makeHostileSpace(host: Settled, guest: Settled, leavers: readonly Settled[]) {
  await host.client.users.updateMe({ alias: NAMES.mira })
  await guest.client.users.updateMe({ alias: NAMES.jonas, custom: `${OVERRIDE}<b>away</b>` })
  for (const { client } of leavers) await client.users.updateMe({ alias: NAMES.lena })
  const { space, general } = await gather(NAMES.space, [host, guest, ...leavers])
  await host.client.buckets.createIncluded(space.id)
  const named = await host.client.rooms.create(space.id, { name: NAMES.room, type: RoomType.Text })
  const role = await host.client.roles.create(space.id, {
    name: NAMES.role,
    hoisted: true,
    color_from: 0xb02020,
  })
  await host.client.roles.assign(space.id, guest.id, role.id)
  for (const text of TEXTS)
    await host.client.messages.create(general.id, { content: [...text].slice(0, MOST_LETTERS).join('') })
  for (const { client } of leavers) await client.messages.create(general.id, { content: 'I was here' })
  const mention = `Ask <@${guest.id}> in <#${named.id}> of <@&${role.id}> tomorrow`
  await guest.client.messages.create(general.id, { content: mention })
  const file = new File([`<script>${HACK}</script>`], NAMES.file, { type: 'text/html' })
  await guest.client.messages.createWithFiles(general.id, { content: 'A file' }, [file])
  const { id: last } = await host.client.messages.create(general.id, { content: LAST })
  // A room that was read opens at its end.
  for (const { client } of [host, guest]) await client.messages.ack(general.id, last)
  return { space, general, named }
}

/** Watches a page for requests to other origins, policy violations and injected code. */
export class Watch {
  readonly #origin: string
  readonly #foreign: string[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  async over({ page }: Person): Promise<void> {
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (/^https?:$/.test(protocol) && origin !== this.#origin) this.#foreign.push(request.url())
    })
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => {
        console.error(`CSP: ${violatedDirective} ${blockedURI}`)
      })
    })
  }

  /** Returns the violations so far. */
  async findings({ page, complaints }: Person): Promise<string[]> {
    const broken = await page.evaluate(() => {
      const links = [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href') ?? '')
      const bad = links.filter((href) => !/^(https?:|mailto:|blob:|\/|#)/.test(href))
      const handlers = [...document.querySelectorAll('*')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      )
      const hacked = '__hacked' in window ? ['hacked'] : []
      return [...hacked, ...bad, ...handlers.map(({ outerHTML }) => outerHTML)]
    })
    return [...broken, ...this.#foreign, ...complaints]
  }
}

/** Returns the plain texts that are drawn backwards because a name with an override precedes them. */
export function turnedParts(page: Page, inside: string): Promise<string[]> {
  return page.locator(inside).evaluateAll((parts) =>
    parts.flatMap((part) => {
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const words = text.textContent ?? ''
        const range = document.createRange()
        const leftOf = (index: number) => {
          range.setStart(text, index)
          range.setEnd(text, index + 1)
          return range.getClientRects()[0]?.left ?? 0
        }
        const isPlain = /^[ -~]+$/.test(words) && words.trim().length > 1
        const [first, last] = [words.search(/\S/), words.trimEnd().length - 1]
        if (isPlain && range !== null && leftOf(first) > leftOf(last)) found.push(words)
      }
      return found
    }),
  )
}
