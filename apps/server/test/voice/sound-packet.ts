const BYTES = 80

/** Returns an RTP packet of audio. By default, the SSRC is that of the microphone in the offers of picture-room.ts. */
export function soundPacket(sequence: number, timestamp: number, ssrc = 9): Buffer {
  const packet = Buffer.alloc(12 + BYTES, 5)
  packet[0] = 0x80
  packet[1] = 111
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(timestamp, 4)
  packet.writeUInt32BE(ssrc, 8)
  return packet
}
