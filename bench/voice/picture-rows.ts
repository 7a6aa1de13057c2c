/** Ids of the header extensions in the offers of the benchmarks. */
export const EXTENSIONS = { sentAt: 3, mid: 4, rid: 5, sequence: 6 } as const
/** Names of the camera and its layers, with one character each, so that the header of a packet has a fixed size. */
export const CAMERA_MID = 'c'
export const RIDS = ['q', 'h', 'f'] as const
export const PAYLOAD_TYPE = 96

/** The SDP lines of a camera in three layers. */
export function cameraRows(): string[] {
  return [
    ...rowsOf('sendonly', CAMERA_MID),
    `a=extmap:${EXTENSIONS.mid} urn:ietf:params:rtp-hdrext:sdes:mid`,
    `a=extmap:${EXTENSIONS.rid} urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id`,
    ...RIDS.map((rid) => `a=rid:${rid} send`),
    `a=simulcast:send ${RIDS.join(';')}`,
  ]
}

/** The SDP lines of slots for the video of others. */
export function slotRows(count: number): string[] {
  return Array.from({ length: count }, (_, slot) => rowsOf('recvonly', `v${slot}`)).flat()
}

function rowsOf(direction: string, mid: string): string[] {
  return [
    `m=video 9 UDP/TLS/RTP/SAVPF ${PAYLOAD_TYPE} 97`,
    `a=mid:${mid}`,
    `a=${direction}`,
    ...[`a=rtpmap:${PAYLOAD_TYPE} VP8/90000`, 'a=rtpmap:97 rtx/90000', `a=fmtp:97 apt=${PAYLOAD_TYPE}`],
    ...['nack', 'nack pli', 'goog-remb', 'transport-cc'].map((name) => `a=rtcp-fb:${PAYLOAD_TYPE} ${name}`),
    `a=extmap:${EXTENSIONS.sentAt} http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`,
    `a=extmap:${EXTENSIONS.sequence} http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01`,
  ]
}
