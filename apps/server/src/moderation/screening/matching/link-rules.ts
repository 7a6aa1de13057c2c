import { domainsOf, normalizeHost } from './hosts.ts'
import { findHosts, findLinks, type Link, type LinkText, prepareLinks } from './links.ts'
import { findMarkup } from './markup.ts'

/** Hosts of a rule. `allow` catches links to other hosts, `deny` links to these. */
export interface HostList {
  readonly list: 'allow' | 'deny'
  readonly hosts: readonly string[]
}

export interface OwnServer {
  /** Origin of PUBLIC_URL. Links to it are always allowed. */
  readonly origin?: string
  /** Invite codes of the space, which are always allowed. */
  readonly codes?: ReadonlySet<string>
}

/** Hosts where every path is an invite. */
const INVITE_HOSTS = new Set(['discord.gg', 'stt.gg', 'guilded.gg', 'fluxer.gg'])
const CODE = /^\/+[\w-]{2,}/
const INVITE_PATH = /^\/+invite\/+([\w-]{2,})/i
const TELEGRAM_PATH = /^\/+(?:\+|joinchat\/+)[\w-]{2,}/i
const MAY_LINK = /[.:\u0080-\uffff]/

/** The links of one text. They are found on first use, once for all rules. */
export class TextLinks {
  readonly #text: string
  #plain: readonly Link[] | undefined
  #shown: readonly Link[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Links as a client finds them. */
  get plain(): readonly Link[] {
    this.#plain ??= MAY_LINK.test(this.#text) ? [...linksIn(prepareLinks(this.#text, false))] : []
    return this.#plain
  }

  /** Links as a client finds them and, if the text has Markdown, as a person reads them without Markdown marks. */
  get shown(): readonly Link[] {
    this.#shown ??= findMarkup(this.#text) === undefined ? this.plain : this.#withoutMarks()
    return this.#shown
  }

  #withoutMarks(): readonly Link[] {
    return this.plain.length === 0 && !MAY_LINK.test(this.#text)
      ? []
      : [...this.plain, ...linksIn(prepareLinks(this.#text, true))]
  }
}

/** A list of hosts, ready to compare links with. */
export class LinkRule {
  readonly #isDeny: boolean
  readonly #hosts: ReadonlySet<string>
  readonly #own: string | undefined

  constructor({ list, hosts }: HostList, own: OwnServer) {
    this.#isDeny = list === 'deny'
    this.#hosts = new Set(hosts.map(normalizeHost).filter((host) => host !== undefined))
    this.#own = authorityOf(own)
  }

  /** Returns the first link that the rule catches. */
  find(links: TextLinks): Link | undefined {
    return (this.#isDeny ? links.shown : links.plain).find((link) => this.#catches(link))
  }

  #catches({ host, authority, isBare }: Link): boolean {
    const isListed = domainsOf(host).some((domain) => this.#hosts.has(domain))
    if (this.#isDeny) return isListed
    return !isBare && !isListed && authority !== this.#own
  }
}

/** Returns the first link in a text that is an invite, except invites to the space itself. */
export function findInvite(links: TextLinks, own: OwnServer): Link | undefined {
  const authority = authorityOf(own)
  return links.shown.find((link) => isInvite(link, authority, own.codes))
}

function* linksIn(text: LinkText): Generator<Link> {
  yield* findLinks(text)
  yield* findHosts(text)
}

function isInvite(
  { host, authority, path }: Link,
  own: string | undefined,
  codes?: ReadonlySet<string>,
): boolean {
  const name = host.replace(/^www\./, '')
  const decoded = decode(path)
  if (INVITE_HOSTS.has(name)) return CODE.test(decoded)
  if (name === 't.me' || name === 'telegram.me') return TELEGRAM_PATH.test(decoded)
  const [, code] = INVITE_PATH.exec(decoded) ?? []
  return code !== undefined && !(authority === own && codes?.has(code) === true)
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function authorityOf({ origin }: OwnServer): string | undefined {
  return origin === undefined ? undefined : URL.parse(origin)?.host
}
