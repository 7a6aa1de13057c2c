import { randomUUID } from 'node:crypto'
import { VoiceCheckResult } from '@foyer/protocol/voice-check'
import ipaddr from 'ipaddr.js'
import { Parse } from 'typebox/value'
import type { VoiceSettings } from '#src/config.ts'
import { createLog } from '#src/kernel/log.ts'
import {
  onlyPrivateAddresses,
  ownAddresses,
  publicAddressIn,
} from '#src/operating/operations/still-missing.ts'
import { TestSessions } from '#src/voice/check.ts'
import { EmbeddedEngine } from '#src/voice/embedded/engine.ts'
import { iceServersFor } from '#src/voice/ice-servers.ts'
import { LiveKitService } from '#src/voice/livekit/service.ts'
import { examine, type Finding } from './finding.ts'
import { readAnswer, writeOffer } from './sdp.ts'
import { askIceAgent, askOwnAddress, askTurnServer, type IceCredentials } from './stun-questions.ts'

/** A running server, and the credentials for it. */
interface RunningServer {
  url: string
  token: string
}

/** Sends an offer to voice, and returns its answer. */
export type Exchange = (offer: string) => Promise<string>

const TIMEOUT_MS = 20_000

/** @param exchange undefined if no server runs */
export async function examineVoice(voice: VoiceSettings, exchange: Exchange | undefined): Promise<Finding[]> {
  if (voice.livekit !== undefined) return [await examineLiveKit(voice.livekit)]
  const ports = exchange === undefined ? examineOwnPort(voice) : examinePort(voice, exchange)
  const turnUrls = voice.iceServers.filter((url) => url.startsWith('turn'))
  const turns = turnUrls.map((url) => examineTurn(url, voice))
  return [...(await ports), await examineAddress(voice), ...(await Promise.all(turns))]
}

function examineLiveKit(livekit: NonNullable<VoiceSettings['livekit']>): Promise<Finding> {
  const remedy =
    'check that LIVEKIT_URL leads to LiveKit, and that it has this LIVEKIT_API_KEY and LIVEKIT_API_SECRET'
  return examine(`LiveKit ${livekit.url}`, remedy, async () => {
    await new LiveKitService(livekit).listRooms([randomUUID()])
    return 'it accepts our key'
  })
}

/** Starts a voice process for this check only. */
async function examineOwnPort(voice: VoiceSettings): Promise<Finding[]> {
  const lines: string[] = []
  const log = createLog('error', { write: (line) => lines.push(line) })
  const engine = new EmbeddedEngine({ voice, log })
  const tests = new TestSessions(engine)
  try {
    return await examinePort(voice, async (offer) =>
      tests.begin('doctor', offer).catch((error) => {
        const [line] = lines
        throw line === undefined ? error : new Error(String(JSON.parse(line).msg))
      }),
    )
  } finally {
    await engine.drain()
  }
}

/** Returns a function that sends offers to a running server. */
export function exchangeWith(server: RunningServer): Exchange {
  return (offer) => ask(server, offer)
}

async function ask({ url, token }: RunningServer, sdp: string): Promise<string> {
  const response = await fetch(`${url}/api/voice/check/doctor`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdp }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.ok) return Parse(VoiceCheckResult, await response.json()).sdp
  throw new Error(
    `the server answers ${response.status} ${response.headers.get('x-error-code')}: ${await response.text()}`,
  )
}

/** Checks from this machine that each address announced to clients answers at its ports. */
async function examinePort(voice: VoiceSettings, exchange: Exchange): Promise<Finding[]> {
  const offer = writeOffer()
  const open = await examineOpening(voice.port, async () =>
    readAnswer(await exchange(offer.sdp), offer.ufrag),
  )
  if (open.answer === undefined) return [open.finding]
  const { candidates, ice } = open.answer
  const found = candidates.map((place) =>
    examinePlace({ ...place, isOutside: voice.publicIps.includes(place.address) }, ice),
  )
  const isTcpMissing = voice.tcpPort !== undefined && !candidates.some(({ protocol }) => protocol === 'tcp')
  const missing = isTcpMissing ? [tcpIsMissing(voice.tcpPort)] : []
  return [open.finding, ...missing, ...(await Promise.all(found))]
}

interface AnnouncedPlace {
  protocol: 'udp' | 'tcp'
  address: string
  port: number
  /** True for an address of PUBLIC_IP. */
  isOutside: boolean
}

function examinePlace(place: AnnouncedPlace, ice: IceCredentials): Promise<Finding> {
  const { protocol, address, port, isOutside } = place
  const remedy = remedyFor(place)
  const transport = protocol === 'udp' ? 'udp' : 'framed'
  return examine(`${protocol.toUpperCase()} ${address} port ${port}`, remedy, () =>
    askIceAgent({ host: address, port, transport }, ice).then(
      () => 'it answers',
      (error) => {
        if (!isOutside) throw error
        const says = 'it does not answer from here, which proves nothing: many routers block this from inside'
        return { verdict: 'note' as const, says, remedy }
      },
    ),
  )
}

/** Reports a TCP port that could not be opened. Voice works without TCP, except in networks without UDP. */
function tcpIsMissing(port: number | undefined): Finding {
  return {
    what: `TCP port ${port}`,
    verdict: 'bad',
    says: 'it could not be opened, so clients whose networks forbid UDP cannot connect',
    remedy: 'stop the program that uses it, set VOICE_TCP_PORT to another port, or to `off`',
  }
}

async function examineOpening<Answer>(port: number, open: () => Promise<Answer>) {
  let answer: Answer | undefined
  const remedy = `stop the program that uses UDP port ${port}, or set VOICE_PORT to another port; see the server's log`
  const finding = await examine('voice', remedy, async () => {
    answer = await open()
    return 'it accepts an offer'
  })
  return { finding, answer }
}

function remedyFor({ isOutside, protocol, port }: AnnouncedPlace): string {
  const name = `${protocol.toUpperCase()} port ${port}`
  return isOutside
    ? `forward ${name} from the router to this machine, and run the test in the voice settings of the web ` +
        'client from another network'
    : `open ${name} in the firewall of this machine`
}

/** Compares the address seen by a STUN server, which clients on the internet need, with the announced ones. */
export async function examineAddress({ publicIps, iceServers }: VoiceSettings): Promise<Finding> {
  const announced = [...publicIps, ...ownAddresses()]
  const [url] = iceServers
  const remedy = `check that ${url} is running and that its port is open`
  return examine('announced address', remedy, async () => {
    if (url === undefined) return addressUnproved(announced)
    const seen = await askOwnAddress(url)
    if (announced.includes(seen)) return `${url} sees us at ${seen}, which is announced`
    const isPublic = ipaddr.parse(seen).range() === 'unicast'
    const says = `${url} sees us at ${seen}, which is not announced (${publicIps.join(', ') || 'PUBLIC_IP is not set'})`
    return { verdict: isPublic ? 'bad' : 'note', says, remedy: `set PUBLIC_IP=${seen}` }
  })
}

function addressUnproved(announced: readonly string[]): Omit<Finding, 'what'> {
  const found = publicAddressIn(announced)
  if (found !== undefined)
    return {
      verdict: 'note',
      says: `${found} is announced to clients; it cannot be checked without a STUN server in VOICE_ICE_SERVERS`,
    }
  return { verdict: 'note', ...onlyPrivateAddresses }
}

function examineTurn(url: string, voice: VoiceSettings): Promise<Finding> {
  const turn = iceServersFor('doctor', voice, Date.now()).find((each) => each.username !== undefined)
  const { username = '', credential = '' } = turn ?? {}
  const remedy =
    'check that it runs and its port is open, that its static-auth-secret is TURN_SECRET, and that both clocks are right'
  return examine(url, remedy, async () => {
    const relay = await askTurnServer(url, { username, credential })
    const says = `it relays from ${relay}`
    const isTcp = url.startsWith('turns:') || url.endsWith('transport=tcp')
    return isTcp
      ? { verdict: 'note', says: `${says}; Chrome cannot reach the built-in voice engine through it` }
      : says
  })
}
