import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { MissingPart } from '@foyer/protocol/still-missing'
import ipaddr from 'ipaddr.js'
import type { Config } from '#src/config.ts'
import { isLoopback } from '#src/operating/operators/claim-link.ts'

type Given = Pick<Config, 'smtpUrl' | 'dataDir' | 'voice' | 'publicUrl'>

/**
 * Returns the settings that a public server still lacks. The doctor checks more.
 * @param own addresses of this machine
 */
export function stillMissing(config: Given, own = ownAddresses()): MissingPart[] {
  if (!isPublic(config)) return []
  const all = [missingMail(config), missingEncryption(config), missingAddress(config.voice, own)]
  return all.filter((missing) => missing !== undefined)
}

/** Returns the missing settings for operators. A server for this machine alone lacks only an address for other people. */
export function stillMissingForOperators(config: Given): MissingPart[] {
  return isPublic(config) ? stillMissing(config) : [missingPublicUrl]
}

function isPublic({ publicUrl }: Given): boolean {
  return publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)
}

const missingPublicUrl: MissingPart = {
  id: 'public_url',
  what: 'invites',
  says: 'PUBLIC_URL is not set to an address that other machines reach: links of invites and mails may lead nowhere',
  remedy: 'set PUBLIC_URL to the address at which people reach this server',
}

/** Returns a line for the log. */
export function lineOf({ what, says, remedy }: MissingPart): string {
  return `${what}: ${says} → ${remedy}`
}

export function missingMail({
  smtpUrl,
  dataDir,
}: Pick<Config, 'smtpUrl' | 'dataDir'>): MissingPart | undefined {
  if (smtpUrl !== undefined) return undefined
  return {
    id: 'mail',
    what: 'mail',
    says: `SMTP_URL is not set: mails are saved as files in ${join(dataDir, 'mailbox')}`,
    remedy: 'set SMTP_URL, so that people can confirm addresses and reset passwords',
  }
}

function missingEncryption({ publicUrl = '' }: Pick<Config, 'publicUrl'>): MissingPart | undefined {
  if (publicUrl.startsWith('https:')) return undefined
  return {
    id: 'https',
    what: 'voice and push',
    says: 'browsers allow the microphone, notifications and passkeys only over HTTPS',
    remedy: 'set PUBLIC_URL to an https address; with a public name, Foyer gets the certificate by itself',
  }
}

/** Reports if voice has no public address: browsers connect to voice directly. */
function missingAddress(
  { publicIps, livekit }: Config['voice'],
  own: readonly string[],
): MissingPart | undefined {
  if (livekit !== undefined || publicAddressIn([...publicIps, ...own]) !== undefined) return undefined
  return { id: 'voice_address', what: 'voice', ...onlyPrivateAddresses }
}

export const onlyPrivateAddresses = {
  says: 'only private addresses are announced to clients: nobody outside this network can connect',
  remedy: 'set PUBLIC_IP to the public address of this network',
}

export function publicAddressIn(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => ipaddr.parse(address.split('%')[0] ?? '').range() === 'unicast')
}

export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
}
