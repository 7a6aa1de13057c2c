import { type PictureCodec, pictureCodecs } from '@foyer/protocol/voice'
import { encodingIn, valuesByType } from './sdp-rows.ts'

/** A codec of an m-line for pictures. */
export interface LineCodec {
  readonly name: PictureCodec
  readonly payloadType: number
  /** Payload type of its RTX (RFC 4588); undefined without RTX. */
  readonly repairType: number | undefined
}

type Parameters = ReadonlyMap<string, string>

/** A payload type of an offer: its encoding in lower case, such as `vp8/90000`, and its parameters. */
interface OfferedType {
  readonly encoding: string
  readonly parameters: Parameters
}

/** The one profile of a codec that is used, because all browsers have it. */
interface Profile {
  readonly matches: (offered: Parameters) => boolean
  /** Parameters (a=fmtp) of the answer. */
  readonly answered: string | undefined
}

const PROFILES: Readonly<Record<PictureCodec, Profile>> = {
  VP8: { matches: () => true, answered: undefined },
  VP9: { matches: (offered) => has(offered, { 'profile-id': '0' }), answered: 'profile-id=0' },
  // Constrained Baseline, with several packets for each frame.
  H264: {
    matches: (offered) =>
      offered.get('packetization-mode') === '1' && /^42e0/i.test(offered.get('profile-level-id') ?? ''),
    answered: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  },
  // Clients refuse an answer with another tier or level than they offered.
  AV1: {
    matches: (offered) => has(offered, { profile: '0', tier: '0', 'level-idx': '5' }),
    answered: 'level-idx=5;profile=0;tier=0',
  },
}

/**
 * Returns the codecs of an m-line that are forwarded, VP8 first: senders use the first codec until they receive another
 * list. Without VP8 the list is empty, because VP8 is the codec that all clients have in common.
 */
export function readCodecs(rows: readonly string[]): LineCodec[] {
  const offered = offeredTypes(rows)
  const codecs = pictureCodecs.flatMap((name) => {
    const payloadType = takeType(offered, `${name.toLowerCase()}/90000`, PROFILES[name].matches)
    if (payloadType === undefined) return []
    const repairs = (parameters: Parameters) => parameters.get('apt') === String(payloadType)
    return [{ name, payloadType, repairType: takeType(offered, 'rtx/90000', repairs) }]
  })
  return codecs[0]?.name === 'VP8' ? codecs : []
}

/** Returns the rows of the answer for a codec and its RTX. */
export function codecRows(
  { name, payloadType, repairType }: LineCodec,
  feedback: readonly string[],
): string[] {
  const { answered } = PROFILES[name]
  return [
    `a=rtpmap:${payloadType} ${name}/90000`,
    ...(answered === undefined ? [] : [`a=fmtp:${payloadType} ${answered}`]),
    ...feedback.map((kind) => `a=rtcp-fb:${payloadType} ${kind}`),
    ...(repairType === undefined
      ? []
      : [`a=rtpmap:${repairType} rtx/90000`, `a=fmtp:${repairType} apt=${payloadType}`]),
  ]
}

function offeredTypes(rows: readonly string[]): Map<number, OfferedType> {
  const parameters = valuesByType(rows, 'fmtp')
  const types = [...valuesByType(rows, 'rtpmap')].map(([type, value]) => {
    const offered = { encoding: encodingIn(value), parameters: readParameters(parameters.get(type)) }
    return [type, offered] as const
  })
  return new Map(types)
}

/** Returns the first payload type of this encoding with matching parameters. Removes it, so that it is not used twice. */
function takeType(
  offered: Map<number, OfferedType>,
  wanted: string,
  matches: Profile['matches'],
): number | undefined {
  for (const [type, { encoding, parameters }] of offered) {
    if (encoding !== wanted || !matches(parameters)) continue
    offered.delete(type)
    return type
  }
  return undefined
}

/** Reads parameters like `profile-id=0;tier=0`. */
function readParameters(text = ''): Parameters {
  return new Map(
    text.split(';').map((value) => {
      const [name = '', content = ''] = value.trim().split('=', 2)
      return [name, content] as const
    }),
  )
}

/** Returns whether the parameters have these values, which are also the defaults of omitted parameters. */
function has(offered: Parameters, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => (offered.get(name) ?? value) === value)
}
