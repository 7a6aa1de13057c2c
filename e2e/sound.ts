import type { Page } from 'playwright-core'

/** Energy above which audio counts as audible. Beeps have a thousand times as much, and silence has none. */
const AUDIBLE = 1e-6

/** Audio that arrived in one of the page's receiving tracks. */
export interface Arrival {
  readonly id: string
  readonly packets: number
  readonly lost: number
  /** Energy of the audio played; 0 is silence. */
  readonly energy: number
}

declare global {
  interface Window {
    /** The page's connections, recorded by `watchSound`. */
    peers: RTCPeerConnection[]
    /** Notes that the page itself has played, recorded by `watchNotes`. */
    notes: number[]
  }
}

/** Records the connections that the page makes from its next load on. */
export async function watchSound(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.peers = []
    const Original = window.RTCPeerConnection
    window.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        window.peers.push(this)
      }
    }
  })
}

/** Keeps the notes that a page plays itself from its next load on. */
export async function watchNotes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.notes = []
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when) {
      window.notes.push(this.frequency.value)
      start.call(this, when)
    }
  })
}

/** In whole hertz. */
export function playedNotes(page: Page): Promise<number[]> {
  return page.evaluate(() => window.notes.map(Math.round))
}

/** All that arrived over the page's present connection. */
export async function arrivals(page: Page): Promise<Arrival[]> {
  const reports = await reportsOf(page, 'inbound-rtp')
  return reports.map(({ id, packetsReceived, packetsLost, totalAudioEnergy }) => ({
    id: String(id),
    packets: Number(packetsReceived),
    lost: Number(packetsLost),
    energy: Number(totalAudioEnergy ?? 0),
  }))
}

/** How many packets the page has sent over its present connection. */
export async function sentPackets(page: Page): Promise<number> {
  const reports = await reportsOf(page, 'outbound-rtp')
  return reports.reduce((sum, { packetsSent }) => sum + Number(packetsSent), 0)
}

/** Listens from now on. @returns what tells how many voices were heard since then, over that time's or a newer connection */
export async function ear(page: Page): Promise<() => Promise<number>> {
  const before = new Map((await arrivals(page)).map(({ id, energy }) => [id, energy]))
  return async () => {
    const heard = await arrivals(page)
    return heard.filter(({ id, energy }) => energy > (before.get(id) ?? 0) + AUDIBLE).length
  }
}

/** Whether a microphone is open to those whom the page is connected with. */
export async function isMicrophoneOpen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const peer = window.peers.findLast(({ connectionState }) => connectionState === 'connected')
    return peer?.getSenders().some(({ track }) => track?.enabled === true) ?? false
  })
}

/** Has the page send its microphone whatever its own buttons say, as a client of somebody else's making would. */
export async function sendAllTheSame(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    const [track = null] = stream.getAudioTracks()
    const [sender] = window.peers.at(-1)?.getSenders() ?? []
    await sender?.replaceTrack(track)
  })
}

async function reportsOf(page: Page, type: string): Promise<Record<string, unknown>[]> {
  return page.evaluate(async (wanted) => {
    const peer = window.peers.findLast(({ connectionState }) => connectionState === 'connected')
    const reports: Record<string, unknown>[] = []
    const stats = await peer?.getStats()
    stats?.forEach((report) => void (report.type === wanted && reports.push(report)))
    return reports
  }, type)
}
