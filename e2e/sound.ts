import { VOICE_SLOTS } from '@foyer/protocol/voice'
import type { Page } from 'playwright-core'

/** Energy above which audio counts as audible. Beeps have a thousand times as much, and silence has none. */
const AUDIBLE = 1e-6

/** Audio received in one of the page's tracks. */
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
    /** Notes that the page itself has played, in hertz, recorded by `watchNotes`. */
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

/** Records the notes that the page itself plays from its next load on. */
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

/** Returns the recorded notes in whole hertz. */
export function playedNotes(page: Page): Promise<number[]> {
  return page.evaluate(() => window.notes.map(Math.round))
}

/** Returns the audio received over the page's current connection. */
export async function arrivals(page: Page): Promise<Arrival[]> {
  const reports = await reportsOf(page, 'inbound-rtp')
  return reports.map(({ id, packetsReceived, packetsLost, totalAudioEnergy }) => ({
    id: String(id),
    packets: Number(packetsReceived),
    lost: Number(packetsLost),
    energy: Number(totalAudioEnergy ?? 0),
  }))
}

/** Returns the number of packets that the page has sent over its current connection. */
export async function sentPackets(page: Page): Promise<number> {
  const reports = await reportsOf(page, 'outbound-rtp')
  return reports.reduce((sum, { packetsSent }) => sum + Number(packetsSent), 0)
}

/** Returns a function that counts the audible voices received since this call, over this or a newer connection. */
export async function voiceCounter(page: Page): Promise<() => Promise<number>> {
  const before = new Map((await arrivals(page)).map(({ id, energy }) => [id, energy]))
  return async () => {
    const heard = await arrivals(page)
    return heard.filter(({ id, energy }) => energy > (before.get(id) ?? 0) + AUDIBLE).length
  }
}

/** Returns the number of packets of screen audio that the page has received over its current connection. */
export async function screenSoundPackets(page: Page): Promise<number> {
  return page.evaluate(async (voices) => {
    const peer = window.peers.findLast(({ connectionState }) => connectionState === 'connected')
    const received = peer?.getTransceivers().filter(({ direction }) => direction === 'recvonly') ?? []
    const sounds = received.filter(({ receiver }) => receiver.track.kind === 'audio').slice(voices)
    const stats = await Promise.all(sounds.map(({ receiver }) => receiver.getStats()))
    const reports = stats.flatMap((each): Record<string, unknown>[] => [...each.values()])
    return reports.reduce((sum, { packetsReceived }) => sum + Number(packetsReceived ?? 0), 0)
  }, VOICE_SLOTS)
}

/** Returns true if the page sends an open microphone over its current connection. */
export async function isMicrophoneOpen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const peer = window.peers.findLast(({ connectionState }) => connectionState === 'connected')
    return peer?.getSenders().some(({ track }) => track?.enabled === true) ?? false
  })
}

/** Makes the page send its microphone regardless of its buttons, as a modified client would. */
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
