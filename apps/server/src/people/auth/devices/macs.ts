import { deviceOf } from '@foyer/protocol/devices'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { Macs } from '#src/kernel/secrets/macs.ts'
import type { Origin } from '../queries.ts'

/** Computes the hashes by which a device is recognized: from its browser, system and network. */
export class DeviceMacs {
  readonly #macs: Macs

  constructor(secretKey: string) {
    this.#macs = new Macs(secretKey, 'foyer known devices')
  }

  of(userId: string, { device, address }: Origin): string {
    return this.#macs.of(JSON.stringify([userId, kindOf(device), networkOf(address)]))
  }
}

/** Returns the program and system of a User-Agent, without versions, because programs are updated. */
function kindOf(userAgent: string): string {
  const { program, system } = deviceOf(userAgent)
  if (program === undefined && system === undefined) return userAgent.split('/', 1).join('')
  return `${program ?? ''} on ${system ?? ''}`
}
