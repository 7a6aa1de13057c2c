/** Options that decide the m-lines of an offer. */
interface OfferedLines {
  readonly hasVideo: boolean
  /** Layers of the camera; none for a single stream. */
  readonly layers: RTCRtpEncodingParameters[]
  readonly slots: number
  readonly sounds: number
  /** Names of the video codecs in SDP. */
  readonly codecs: readonly string[]
}

/** Makes the offer of a page. Runs in the page. */
export async function makeOffer(wanted: OfferedLines): Promise<string> {
  const { hasVideo, layers, slots, sounds, codecs } = wanted
  const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  const send = (kind: 'audio' | 'video', sendEncodings: RTCRtpEncodingParameters[] = []) =>
    peer.addTransceiver(kind, { direction: 'sendonly', sendEncodings }).sender
  const receive = (kind: 'audio' | 'video', count: number) =>
    Array.from({ length: count }, () => peer.addTransceiver(kind, { direction: 'recvonly' }).receiver)
  window.peer = peer
  const microphone = send('audio')
  window.received = { voices: receive('audio', slots), sounds: [], pictures: [] }
  window.senders = { microphone, sound: microphone, camera: microphone, screen: microphone }
  if (hasVideo) {
    const sound = send('audio')
    window.received.sounds = receive('audio', sounds)
    window.senders = { microphone, sound, camera: send('video', layers), screen: send('video') }
    window.received.pictures = receive('video', slots)
    const offered = ['rtx', ...codecs].map((codec) => `video/${codec}`)
    const known = RTCRtpReceiver.getCapabilities('video')?.codecs ?? []
    const lines = peer.getTransceivers().filter(({ receiver }) => receiver.track.kind === 'video')
    for (const line of lines)
      line.setCodecPreferences(known.filter(({ mimeType }) => offered.includes(mimeType)))
  }
  for (const { track } of window.received.pictures) {
    const shown = document.createElementNS('http://www.w3.org/1999/xhtml', 'video')
    if (!(shown instanceof HTMLVideoElement)) throw new Error('the page has no pictures')
    shown.muted = true
    shown.autoplay = true
    shown.srcObject = new MediaStream([track])
    document.documentElement.append(shown)
  }
  await peer.setLocalDescription(await peer.createOffer())
  return peer.localDescription?.sdp ?? ''
}
