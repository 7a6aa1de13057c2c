import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { uploadFile } from '@foyer/sdk/uploads'
import sharp from 'sharp'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { fileOf, paint } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const SECRET = 'Baker Street 221b'
const EXIF = {
  IFD0: { Copyright: SECRET, Make: SECRET },
  IFD2: { UserComment: SECRET },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 31/1 2555/100', GPSMapDatum: SECRET },
}
const SIZE = { width: 64, height: 48 }

let server: TestServer
let person: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  person = await createPerson(server, 'person')
  space = await makeSpace(person)
})
after(() => server.close())

async function fileIn({ attachments: [file] }: Message): Promise<Buffer> {
  const response = await fetch(`${person.client.addressOf(file?.url ?? '')}&stream=1`)
  return Buffer.from(await response.arrayBuffer())
}

/** Sends the file in a form, and again as a direct upload to the bucket. */
async function sendBothWays(file: File): Promise<Message[]> {
  const { messages } = person.client
  const id = await uploadFile(person.client, space.general, file)
  return [
    await messages.createWithFiles(space.general, { content: '' }, [file]),
    await messages.create(space.general, { content: '', attachment_ids: [id] }),
  ]
}

function looks({ attachments: [file] }: Message) {
  return [file?.content_type, file?.width, file?.height]
}

/** Makes a HEIF file as iPhones do, with a codec that tests can encode and decode. */
async function heic(): Promise<Buffer> {
  const bytes = await paint(SIZE)
    .withExif(EXIF)
    .withXmp(`<x>${SECRET}</x>`)
    .avif({ lossless: true })
    .toBuffer()
  return asBrand(bytes, 'heic')
}

function asBrand(bytes: Buffer, brand: string): Buffer {
  const branded = Buffer.from(bytes)
  branded.write(brand, 8, 'latin1')
  return branded
}

test('MEDIA-12: a HEIC loses its location and camera data, and keeps its picture', async () => {
  const original = await heic()
  assert.ok(original.includes(SECRET))
  const { exif } = await sharp(asBrand(original, 'avif')).metadata()
  assert.ok(exif)
  for (const message of await sendBothWays(fileOf(original, 'IMG_1.HEIC', 'image/heic'))) {
    assert.deepEqual(looks(message), ['image/heic', 64, 48])
    const kept = await fileIn(message)
    assert.equal(kept.includes(SECRET), false)
    assert.equal(kept.includes(exif.subarray(-60)), false)
    assert.equal(kept.length, original.length)
    const [before, now] = [original, kept].map((bytes) => sharp(asBrand(bytes, 'avif')).raw().toBuffer())
    assert.deepEqual(await now, await before)
  }
})

test('MEDIA-12: a TIFF of either byte order loses its metadata, too', async () => {
  const little = await paint(SIZE).withExif(EXIF).withXmp(`<x>${SECRET}</x>`).tiff().toBuffer()
  assert.ok(little.includes(SECRET))
  for (const message of await sendBothWays(fileOf(little, 'scan.tif', 'image/tiff'))) {
    assert.deepEqual(looks(message), ['image/tiff', 64, 48])
    const kept = await fileIn(message)
    assert.equal(kept.includes(SECRET), false)
    const { exif, xmp } = await sharp(kept).metadata()
    assert.deepEqual([exif, xmp], [undefined, undefined])
    assert.deepEqual(await sharp(kept).raw().toBuffer(), await sharp(little).raw().toBuffer())
  }
  const [big] = await sendBothWays(fileOf(bigEndianTiff(), 'scan.tif', 'image/tiff'))
  assert.ok(big)
  assert.deepEqual(looks(big), ['image/tiff', 2, 3])
  assert.equal((await fileIn(big)).includes(SECRET), false)
})

test('MEDIA-12: a picture that cannot be read to its end is refused, and nothing of it is kept', async () => {
  const broken = [
    fileOf((await heic()).subarray(0, 200), 'cut.heic', 'image/heic'),
    fileOf(bigEndianTiff().subarray(0, 40), 'cut.tif', 'image/tiff'),
    fileOf(loopingTiff(), 'loop.tif', 'image/tiff'),
  ]
  for (const file of broken) {
    const sent = person.client.messages.createWithFiles(space.general, { content: '' }, [file])
    await assert.rejects(sent, { status: 400, code: 'invalid_image' }, file.name)
  }
})

/** Three entries: width, height, and a GPS position in a folder of its own. */
function bigEndianTiff(): Buffer {
  const bytes = Buffer.alloc(120)
  bytes.write('MM\0*', 0, 'latin1')
  bytes.writeUInt32BE(8, 4)
  bytes.writeUInt16BE(3, 8)
  entry(bytes, 10, [256, 3, 1, 2 << 16])
  entry(bytes, 22, [257, 3, 1, 3 << 16])
  entry(bytes, 34, [0x8825, 4, 1, 60])
  bytes.writeUInt16BE(1, 60)
  entry(bytes, 62, [0x1d, 2, SECRET.length, 90])
  bytes.write(SECRET, 90, 'latin1')
  return bytes
}

function loopingTiff(): Buffer {
  const bytes = bigEndianTiff()
  bytes.writeUInt32BE(8, 46)
  return bytes
}

function entry(bytes: Buffer, at: number, [tag, type, count, value]: [number, number, number, number]): void {
  bytes.writeUInt16BE(tag, at)
  bytes.writeUInt16BE(type, at + 2)
  bytes.writeUInt32BE(count, at + 4)
  bytes.writeUInt32BE(value, at + 8)
}
