import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { picture, type SampleFile } from './sample-files.ts'
import type { Settled } from './settled.ts'

/** Posts a message with files through the SDK. */
export function post(
  { client }: Settled,
  channel: ChannelAddress,
  content: string,
  files: readonly SampleFile[],
) {
  return client.messages.createWithFiles(channel, { content }, files.map(fileOf))
}

/** Returns a picture of a landscape. @param sky color of the sky: red, green and blue */
export function photo(name: string, sky: [number, number, number]): SampleFile {
  return picture(name, { width: 480, height: 320, sky })
}

function fileOf({ name, mimeType, buffer }: SampleFile): File {
  return new File([new Uint8Array(buffer)], name, { type: mimeType })
}
