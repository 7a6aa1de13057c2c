import type { IceServer } from '@foyer/protocol/voice'
import type { IceServer as NativeIceServer } from 'node-datachannel'

/** Converts ICE servers for the native library, which takes the parts of an address separately. */
export function nativeIceServers({ urls, username, credential }: IceServer): (string | NativeIceServer)[] {
  return urls.flatMap((url): (string | NativeIceServer)[] => {
    const [, scheme, hostname, port] = /^(stun|turn|turns):([^:?]+)(?::(\d+))?/.exec(url) ?? []
    if (hostname === undefined || scheme === undefined) return []
    if (scheme === 'stun') return [`stun:${hostname}:${port ?? 3478}`]
    return [
      {
        hostname,
        port: Number(port ?? (scheme === 'turns' ? 5349 : 3478)),
        ...(username === undefined ? {} : { username }),
        ...(credential === undefined ? {} : { password: credential }),
        relayType: relayTypeOf(scheme, url),
      },
    ]
  })
}

function relayTypeOf(scheme: string, url: string): 'TurnUdp' | 'TurnTcp' | 'TurnTls' {
  if (scheme === 'turns') return 'TurnTls'
  return url.includes('transport=tcp') ? 'TurnTcp' : 'TurnUdp'
}
