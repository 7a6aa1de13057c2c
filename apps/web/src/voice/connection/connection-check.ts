import { VOICE_SLOTS } from '@foyer/protocol/voice'
import { VOICE_CHECK_SECONDS, type VoiceCheck } from '@foyer/protocol/voice-check'
import type { Client } from '@foyer/sdk/client'
import { type MediaRoute, routeOf } from '@foyer/sdk/voice/route'
import type { Stat } from '@foyer/sdk/voice/stats'

export interface CheckResult {
  /** Addresses and ports of the server. */
  readonly server: VoiceCheck
  /** The path audio takes: to the server itself by UDP or TCP, or through a TURN server. Unknown with LiveKit. */
  readonly way: 'direct' | 'tcp' | 'relayed' | 'none' | 'unknown'
  /** Round-trip time, if known. */
  readonly rttMs: number | undefined
}

/** Tests whether voice works from here, without joining a room. */
export async function checkConnection({ voiceChecks }: Client): Promise<CheckResult> {
  const server = await voiceChecks.get()
  if (server.engine === 'livekit') return { server, way: 'unknown', rttMs: undefined }
  const peer = new RTCPeerConnection({ iceServers: server.ice_servers, bundlePolicy: 'max-bundle' })
  try {
    const sdp = await offerOf(peer)
    const answer = await voiceChecks.begin(sdp)
    const connected = untilConnected(peer)
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.sdp })
    if (!(await connected)) return { server, way: 'none', rttMs: undefined }
    return { server, ...(await pathOf(peer)) }
  } finally {
    peer.close()
  }
}

/** Makes an offer with the same m-lines as a join: one to send, the others to receive. */
async function offerOf(peer: RTCPeerConnection): Promise<string> {
  peer.addTransceiver('audio', { direction: 'sendonly' })
  for (let slot = 0; slot < VOICE_SLOTS; slot += 1) peer.addTransceiver('audio', { direction: 'recvonly' })
  const offer = await peer.createOffer()
  await peer.setLocalDescription(offer)
  return offer.sdp ?? ''
}

function untilConnected(peer: RTCPeerConnection): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), VOICE_CHECK_SECONDS * 1000)
  peer.addEventListener('connectionstatechange', () => {
    if (peer.connectionState === 'connected') resolve(true)
    if (peer.connectionState === 'failed') resolve(false)
  })
  return promise.finally(() => clearTimeout(timer))
}

async function pathOf(peer: RTCPeerConnection): Promise<Pick<CheckResult, 'way' | 'rttMs'>> {
  const reports = new Map<string, Stat>()
  const stats = await peer.getStats()
  stats.forEach((report, id) => void reports.set(id, report))
  const route = routeOf(reports)
  return { way: wayOf(route), rttMs: route.rttMs }
}

function wayOf({ isRelayed, protocol }: MediaRoute): CheckResult['way'] {
  if (isRelayed) return 'relayed'
  return protocol === 'tcp' ? 'tcp' : 'direct'
}
