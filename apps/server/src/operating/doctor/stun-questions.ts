import { createHash, randomBytes } from 'node:crypto'
import {
  Attribute,
  addressIn,
  encodeStun,
  errorCodeOf,
  isSuccess,
  type StunMessage,
  StunType,
} from '#src/voice/stun/stun.ts'
import { addressOfUrl, openChannel, type StunAddress, type StunChannel } from './stun-channel.ts'

export interface TurnCredential {
  username: string
  credential: string
}

/** Credentials with which ICE agents authenticate to each other. */
export interface IceCredentials {
  localUfrag: string
  remoteUfrag: string
  remotePassword: string
}

const UDP = Buffer.from([17, 0, 0, 0])

/**
 * Returns this machine's address as a STUN or TURN server sees it.
 * @throws Error if the server sends no address
 */
export async function askOwnAddress(url: string): Promise<string> {
  const channel = await openChannel(addressOfUrl(url))
  try {
    const answer = await channel.ask(encodeStun(StunType.binding, []))
    const address = addressIn(answer, Attribute.xorMappedAddress)
    if (address === undefined) throw new Error('it answers without an address')
    return address
  } finally {
    channel.close()
  }
}

/**
 * Checks that a voice port answers a STUN request with the ICE credentials of an SDP answer, like the requests of
 * clients.
 * @throws Error if it does not answer, or refuses the request
 */
export async function askIceAgent(place: StunAddress, ice: IceCredentials): Promise<void> {
  const channel = await openChannel(place)
  const request = encodeStun(
    StunType.binding,
    [
      [Attribute.username, Buffer.from(`${ice.remoteUfrag}:${ice.localUfrag}`)],
      [Attribute.priority, Buffer.from([0x6e, 0, 0, 0xff])],
      [Attribute.iceControlling, randomBytes(8)],
    ],
    ice.remotePassword,
  )
  try {
    const answer = await channel.ask(request)
    if (!isSuccess(answer)) throw new Error(`it refuses with ${errorCodeOf(answer)}`)
  } finally {
    channel.close()
  }
}

/**
 * Asks a TURN server for a relay address, and releases it again.
 * @returns the relay address
 * @throws Error if the server does not answer, or refuses the request
 */
export async function askTurnServer(url: string, credential: TurnCredential): Promise<string> {
  const channel = await openChannel(addressOfUrl(url))
  try {
    return await allocate(channel, credential)
  } finally {
    channel.close()
  }
}

async function allocate(channel: StunChannel, { username, credential }: TurnCredential): Promise<string> {
  const transport = [Attribute.requestedTransport, UDP] as const
  const challenge = await channel.ask(encodeStun(StunType.allocate, [transport]))
  const [realm, nonce] = [
    challenge.attributes.get(Attribute.realm),
    challenge.attributes.get(Attribute.nonce),
  ]
  if (realm === undefined || nonce === undefined) throw refusal(challenge)
  const key = createHash('md5').update(`${username}:${realm}:${credential}`).digest()
  const proof = [
    [Attribute.username, Buffer.from(username)],
    [Attribute.realm, realm],
    [Attribute.nonce, nonce],
  ] as const
  const answer = await channel.ask(encodeStun(StunType.allocate, [transport, ...proof], key))
  const relay = addressIn(answer, Attribute.xorRelayedAddress)
  if (!isSuccess(answer) || relay === undefined) throw refusal(answer)
  // Releases the allocation.
  const lifetime = [Attribute.lifetime, Buffer.alloc(4)] as const
  await channel.ask(encodeStun(StunType.refresh, [lifetime, ...proof], key)).catch(() => undefined)
  return relay
}

function refusal(answer: StunMessage): Error {
  const code = errorCodeOf(answer)
  if (code === 401) return new Error('it rejects our credentials')
  return new Error(code === undefined ? 'it answers without a challenge' : `it refuses with ${code}`)
}
