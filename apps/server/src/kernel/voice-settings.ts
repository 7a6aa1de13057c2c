import { isIP } from 'node:net'
import { Type } from 'typebox'
import { Choice, Count, List, NeededText, OptionalText } from './setting-kinds.ts'

/** The engine for voice, and how clients reach it. */
export const VoiceSettings = Type.Decode(
  Type.Object({
    engine: Choice(
      'VOICE_ENGINE',
      ['embedded', 'livekit'],
      'embedded',
      'Engine for voice: processes of this server, or the LiveKit at LIVEKIT_URL',
    ),
    port: Count('VOICE_PORT', 7882, 'UDP port for voice, to be opened for everyone; 0 takes a free one', {
      maximum: 65535,
    }),
    tcp: OptionalText(
      'VOICE_TCP_PORT',
      'TCP port for voice, for networks without UDP, such as 443; default: the number of VOICE_PORT if that is at least 1024; 0 takes a free one, `off` opens none',
      {
        accepts: (text) => /^(off|\d{1,5})$/.test(text) && !(Number(text) > 65_535),
        otherwise: 'must be a port, or off',
      },
    ),
    processes: Count(
      'VOICE_PROCESSES',
      1,
      'Processes that forward voice, each on a port of its own from VOICE_PORT on; they start with the first join',
      { minimum: 1, maximum: 64 },
    ),
    publicIps: List(
      'PUBLIC_IP',
      "Public address for voice if it is not the machine's own, as behind a router; separate several with commas",
      {
        accepts: (address) => isIP(address) > 0,
        otherwise: 'must be an IP address, or several, separated by commas',
      },
    ),
    iceServers: List(
      'VOICE_ICE_SERVERS',
      'STUN and TURN servers for voice, separated by commas, like stun:turn.example.org:3478,turn:turn.example.org:3478',
      {
        accepts: (url) => /^(stuns?:[^\s/?]+|turns?:[^\s/?]+(\?transport=(udp|tcp))?)$/.test(url),
        otherwise: 'must be addresses like stun:host:3478 and turn:host:3478?transport=udp',
      },
    ),
    turnSecret: OptionalText(
      'TURN_SECRET',
      "Secret shared with the TURN servers: coturn's static-auth-secret",
    ),
    roomLimit: Count('VOICE_ROOM_LIMIT', 100, 'Limit of people in a voice room', { minimum: 1 }),
    livekit: Type.Object({
      url: NeededText(
        'LIVEKIT_URL',
        'Address of LiveKit for clients, for VOICE_ENGINE=livekit, like wss://livekit.example.org',
      ),
      apiKey: NeededText('LIVEKIT_API_KEY', 'Its API key'),
      apiSecret: NeededText('LIVEKIT_API_SECRET', 'Its API secret'),
    }),
  }),
  ({ engine, livekit, tcp, ...voice }) => ({
    ...voice,
    tcpPort: tcpPortOf(tcp, voice.port),
    livekit: engine === 'livekit' ? livekit : undefined,
  }),
)

/**
 * Returns voice's TCP port, by default the number of VOICE_PORT. A port below 1024 must be set explicitly: by default,
 * voice could take the TCP port of a web server that is not running at the moment.
 * @returns undefined for no TCP; 0 for any free port
 */
function tcpPortOf(text: string | undefined, voicePort: number): number | undefined {
  if (text === undefined) return voicePort === 0 || voicePort >= 1024 ? voicePort : undefined
  return text === 'off' ? undefined : Number(text)
}
