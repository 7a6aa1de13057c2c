import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { offerWith, type PictureClient, PictureRoom, soundRows, videoRows } from '#test/voice/picture-room.ts'
import { soundPacket } from '#test/voice/sound-packet.ts'
import { writeAnswer } from '../answer.ts'
import { readOffer } from '../offer.ts'

const LOCAL = { ufrag: 'u', password: 'p', fingerprint: 'f', addresses: [], publicIps: [], port: 7882 }
const OWN_SOUND = [...(soundRows('own', 1)[0] ?? []), 'a=ssrc:78 cname:x'].map((row) =>
  row === 'a=recvonly' ? 'a=sendonly' : row,
)
/** The lines of a client besides its microphone and its eight pictures. */
const LINES = [
  ...soundRows('voice', 8),
  OWN_SOUND,
  ...soundRows('sound', 2),
  [...videoRows('camera', 'sendonly'), 'a=ssrc:77 cname:x'],
  [...videoRows('screen', 'sendonly'), 'a=ssrc:79 cname:x'],
]
/** As the grant asks for: two more pictures, beside the sounds of screens. */
const ALL_LINES = [...LINES, videoRows('first', 'recvonly'), videoRows('second', 'recvonly')]
const SOURCES = { camera: 77, screen: 79 }

/** A room in which jonas watches, and others speak and show themselves. */
class Call {
  readonly room = new PictureRoom()
  readonly jonas: PictureClient
  readonly #clients = new Map<string, PictureClient>()
  readonly #watched: { userId: string; source: 'camera' | 'screen' }[] = []
  #sequence = 0

  constructor(names: readonly string[], lines: readonly string[][] = ALL_LINES) {
    this.jonas = this.room.enter('jonas', lines)
    for (const name of names) this.#clients.set(name, this.room.enter(name, LINES))
  }

  /** Lets a user show a picture that jonas watches. */
  show(name: string, source: 'camera' | 'screen' = 'camera'): void {
    this.#watched.push({ userId: name, source })
    this.room.watch(this.jonas, ...this.#watched)
    const packet = { sequence: 1, isKeyFrame: true, isLast: true, ssrc: SOURCES[source] }
    this.room.send(this.#client(name), packet)
  }

  hide(name: string): void {
    this.#watched.splice(0, this.#watched.length, ...this.#watched.filter(({ userId }) => userId !== name))
    this.room.watch(this.jonas, ...this.#watched)
  }

  /** Lets users speak at once for a while, during which others do not fall silent. */
  speak(...names: readonly string[]): void {
    for (let packets = 0; packets < 5; packets += 1) {
      for (const name of names) this.room.sendSound(this.#client(name), this.#soundPacket())
      this.room.nowMs += 20
    }
  }

  /** Lets so much time pass that nobody speaks. */
  silence(): void {
    this.room.pass(500)
  }

  get voices(): (string | undefined)[] {
    return this.jonas.member.heard.map((member) => member?.userId)
  }

  get pictures(): string[] {
    return (this.jonas.member.pictures?.viewer.slots ?? []).map(({ picture }) =>
      picture === undefined
        ? '-'
        : picture.source === 'camera'
          ? picture.userId
          : `${picture.userId}’s screen`,
    )
  }

  get sounds(): (string | undefined)[] {
    return (this.jonas.member.pictures?.viewer.heard ?? []).map((picture) => picture?.userId)
  }

  /** Index of the pair in which the user is heard and seen; undefined if they are in two. */
  pairOf(name: string): number | undefined {
    const voice = this.voices.indexOf(name)
    return voice >= 0 && voice === this.pictures.indexOf(name) ? voice : undefined
  }

  #client(name: string): PictureClient {
    const client = this.#clients.get(name)
    assert.ok(client)
    return client
  }

  #soundPacket(): Buffer {
    this.#sequence += 1
    return soundPacket(this.#sequence, this.#sequence * 960)
  }
}

const CROWD = ['ada', 'ben', 'cleo', 'dan', 'eva', 'finn', 'gina', 'hugo', 'ina', 'karl']

suite('VIDEO-12: a voice and a camera', () => {
  test('of each pair are one stream of the answer, and so are the sound and the picture of a screen', () => {
    const { jonas } = new Call([])
    const offer = readOffer(offerWith(ALL_LINES))
    const answer = writeAnswer(offer, LOCAL, jonas.member.streamsOf(offer))
    const streams = (kind: string) =>
      [...answer.matchAll(/^a=msid:(\S+) (audio|video)-/gm)].flatMap(([, name, of]) =>
        of === kind ? [name] : [],
      )
    assert.equal(new Set(streams('audio')).size, 10)
    assert.deepEqual(streams('video'), streams('audio'))
    assert.equal(new Set(answer.match(/^a=ssrc:\d+/gm)).size, 10 + 2 * 10)
  })

  test('of a user are in one pair, whoever came first', () => {
    const call = new Call(['ada', 'ben', 'cleo'])
    for (const name of ['cleo', 'ada']) call.show(name)
    assert.deepEqual([call.pairOf('ada'), call.pairOf('cleo')], [0, 2])
    call.hide('ada')
    call.show('ben')
    assert.deepEqual([call.pairOf('ben'), call.pairOf('cleo')], [1, 2])
  })

  test('of a user without a slot meet when they speak', () => {
    const call = new Call(CROWD)
    call.speak('ada', 'ben', 'cleo')
    call.silence()
    call.show('karl')
    assert.equal(call.voices.includes('karl'), false)
    const picture = call.pictures.indexOf('karl')
    call.speak('karl')
    assert.deepEqual([call.pairOf('karl'), call.pictures.indexOf('karl')], [picture, picture])
  })

  test('are not joined while somebody speaks in either slot, and are once both are silent', () => {
    const call = new Call(CROWD)
    call.show('karl')
    const beside = call.voices[call.pictures.indexOf('karl')] ?? ''
    call.speak(beside)
    call.speak(beside, 'karl')
    assert.equal(call.pairOf('karl'), undefined)
    assert.ok(call.voices.includes('karl'), 'sound goes first')
    call.silence()
    assert.notEqual(call.pairOf('karl'), undefined)
    assert.ok(call.voices.includes(beside))
  })

  test('stay together while others need a slot, as long as somebody without a camera is silent', () => {
    const call = new Call(CROWD)
    call.show('ada')
    for (const name of CROWD.slice(1)) {
      call.speak(name)
      call.silence()
    }
    assert.notEqual(call.pairOf('ada'), undefined)
  })

  test('of eight users are in eight pairs, with two screens and their sounds besides', () => {
    const names = CROWD.slice(0, 8)
    const call = new Call(names)
    for (const name of names.slice(2)) call.show(name)
    for (const name of names.slice(0, 2)) call.show(name, 'screen')
    assert.deepEqual(
      names.slice(2).map((name) => call.pairOf(name)),
      [2, 3, 4, 5, 6, 7],
    )
    assert.deepEqual(call.pictures.slice(8), ['ada’s screen', 'ben’s screen'])
    assert.deepEqual(call.sounds, ['ada', 'ben'])
  })

  test('of a client with eight lines for pictures are in one pair, too, and screens take what is left', () => {
    const call = new Call(['ada', 'ben'], LINES)
    call.show('ada', 'screen')
    call.show('ben')
    assert.equal(call.pictures.length, 8)
    assert.equal(call.pairOf('ben'), 1)
    assert.equal(call.pictures[7], 'ada’s screen')
    assert.deepEqual(call.sounds, ['ada', undefined])
  })
})

test('VIDEO-12: a camera that is shown keeps its slot, because another one takes a key frame', () => {
  const call = new Call(CROWD)
  call.show('karl')
  const before = call.pictures
  for (const name of CROWD) {
    call.speak(name, 'karl')
    call.silence()
  }
  assert.deepEqual(call.pictures, before)
})
