import { createHmac } from 'node:crypto'
import type { IceServer } from '@foyer/protocol/voice'
import type { VoiceSettings } from '#src/config.ts'

/**
 * Lifetime of TURN credentials. A longer session gets new credentials with its next join; TURN servers keep existing
 * allocations.
 */
const TURN_CREDENTIAL_SECONDS = 24 * 60 * 60

/**
 * Returns the STUN and TURN servers of VOICE_ICE_SERVERS for one user. TURN credentials have the format of coturn's
 * `use-auth-secret`: the username consists of their expiry and the user id.
 * @param now milliseconds since 1970
 */
export function iceServersFor(
  userId: string,
  { iceServers, turnSecret }: Pick<VoiceSettings, 'iceServers' | 'turnSecret'>,
  now: number,
): IceServer[] {
  const isTurn = (url: string) => url.startsWith('turn')
  const [stunUrls, turnUrls] = [iceServers.filter((url) => !isTurn(url)), iceServers.filter(isTurn)]
  const stun = stunUrls.length === 0 ? [] : [{ urls: stunUrls }]
  if (turnUrls.length === 0 || turnSecret === undefined) return stun
  return [...stun, { urls: turnUrls, ...turnCredential(userId, turnSecret, now) }]
}

function turnCredential(
  userId: string,
  secret: string,
  now: number,
): Pick<IceServer, 'username' | 'credential'> {
  const expiresAt = Math.floor(now / 1000) + TURN_CREDENTIAL_SECONDS
  const username = `${expiresAt}:${userId}`
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
}
