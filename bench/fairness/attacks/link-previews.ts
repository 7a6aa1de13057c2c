import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Attack } from '../attack.ts'
import type { Attacker } from '../attacker.ts'
import { makeSpaces } from '../owned-spaces.ts'

/** The attacker's hosts. The server asks each for three pages at a time. */
const HOSTS = ['127.0.0.3', '127.0.0.4', '127.0.0.5']
const LINKS_PER_MESSAGE = 5
const MESSAGES_PER_SECOND = 10
/** A header of nearly 16 KiB. A regular expression with two adjacent runs of blanks takes a third of a second on it. */
const HOSTILE_TYPE = `text/html; charset=${' '.repeat(15_500)}!`
const PAGE_BYTES = 400_000

/** Sends links to pages that are slow to parse, with a header that is even slower to parse. */
export const linkPreviews: Attack = {
  name: 'link-previews',
  prepare: ({ foyer }) => makeSpaces(foyer, { prefix: 'linker', people: 1, spaces: 1, rooms: 10 }),
  async run(attacker, signal) {
    const servers = await Promise.all(HOSTS.map(startHost))
    const addresses = servers.map(addressOf)
    await attacker.askAtRate(MESSAGES_PER_SECOND, signal, (turn) =>
      messageWithLinks(attacker, addresses, turn),
    )
    for (const server of servers) server.close().closeAllConnections()
  },
}

function messageWithLinks(attacker: Attacker, addresses: readonly string[], turn: number) {
  const links = Array.from(
    { length: LINKS_PER_MESSAGE },
    (_, index) => `${addresses[(turn + index) % addresses.length]}/${turn}/${index}`,
  )
  return {
    method: 'POST',
    path: `/api/rooms/${attacker.room(turn)}/messages`,
    identity: attacker.person,
    body: JSON.stringify({ content: links.join(' ') }),
  }
}

async function startHost(host: string): Promise<Server> {
  const server = createServer(answerPage)
  server.listen(0, host)
  await once(server, 'listening')
  return server
}

function addressOf(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://${address.address}:${address.port}` : ''
}

const pages = ['<meta property=', '<a <!-- <b ', '<svg><style><template>', '&lt;title&gt;<title> ']
const answerPage: RequestListener = ({ url = '' }, response) => {
  const index = Number(url.slice(-1))
  const piece = pages[index % pages.length] ?? ''
  const type = index < 3 ? HOSTILE_TYPE : 'text/html'
  response.writeHead(200, { 'content-type': type }).end(piece.repeat(PAGE_BYTES / piece.length))
}
