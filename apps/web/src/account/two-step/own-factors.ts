import type { OwnSecondFactors } from '@foyer/protocol/second-factors'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'

/** Requests the second factors of the user, and whether this session was confirmed with one. */
export function getOwnFactors(client: Client, options: CallOptions): Promise<OwnSecondFactors> {
  return client.api(SecondFactors).get(options)
}
