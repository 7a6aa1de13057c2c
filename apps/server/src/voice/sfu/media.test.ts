import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, before, suite, test } from 'node:test'
import { NO_RIGHTS } from '#src/voice/engine.ts'
import { until } from '#test/until.ts'
import { RawVoiceClient } from '#test/voice/raw-voice-client.ts'
import { RefusedError, SfuProcess } from '#test/voice/sfu-process.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'
import { enterRoom } from '#test/voice/voice-room.ts'

suite('in a real process, over real WebRTC,', () => {
  let sfu: SfuProcess
  before(async () => {
    sfu = await SfuProcess.start()
  })
  after(() => sfu.stop())

  test('SFU-5: users in a room hear each other, and one without a microphone hears them', async () => {
    using ada = await enterRoom(sfu, ['ada', 'hall'], { tone: 440 })
    using ben = await enterRoom(sfu, ['ben', 'hall'], { tone: 1000 })
    using cleo = await enterRoom(sfu, ['cleo', 'hall'])
    using dan = await enterRoom(sfu, ['dan', 'cellar'], { tone: 3000 })
    await Promise.all([ada.hears(1000), ben.hears(440), cleo.hears(440, 1000)])
    assert.deepEqual(dan.tones().filter(Number), [], 'another room is another room')
    assert.deepEqual(
      ['ada', 'ben', 'cleo', 'dan'].map((name) => sfu.heardBy(name)),
      [['ben', 'cleo'], ['ada', 'cleo'], ['ada', 'ben'], []],
    )
    assert.equal((await cleo.losses()).lost, 0)
  })

  test('SFU-6: a user who may not speak is not forwarded, and one who may not listen receives nothing', async () => {
    using ada = await enterRoom(sfu, ['ada', 'rights'], { tone: 440, rights: { canSpeak: false } })
    using ben = await enterRoom(sfu, ['ben', 'rights'], { tone: 1000 })
    await ada.hears(1000)
    assert.deepEqual(await ben.packets(), [0, 0, 0, 0, 0, 0, 0, 0])

    await sfu.ask('setRights', { sessionId: 'ada', rights: { ...NO_RIGHTS, canSpeak: true, canHear: true } })
    await ben.hears(440)
    await sfu.ask('setRights', { sessionId: 'ada', rights: NO_RIGHTS })
    await Promise.all([ada.hears(), ben.hears()])
    await sfu.ask('setRights', { sessionId: 'ada', rights: { ...NO_RIGHTS, canSpeak: true, canHear: true } })
    await Promise.all([ada.hears(1000), ben.hears(440)])
    const losses = await Promise.all([ada.losses(), ben.losses()])
    assert.deepEqual(
      losses.map(({ lost }) => lost),
      [0, 0],
      'silence by right is not loss',
    )
  })

  test('SFU-7: the start and end of speaking are sent, at most five times a second', async () => {
    using ada = await enterRoom(sfu, ['ada', 'tells'], { tone: 0 })
    using ben = await RawVoiceClient.enter(sfu, ['ben', 'tells'])
    const spoke = () => sfu.tells('speaking').filter(({ roomId }) => roomId === 'tells')
    ada.speak(440)
    await until(async () => spoke().at(-1)?.userIds.join() === 'ada', 'ada is told to speak')
    using speech = setInterval(() => ben.speak(), 20)
    await until(async () => spoke().at(-1)?.userIds.join() === 'ada,ben', 'both are')
    ada.speak(0)
    await until(async () => spoke().at(-1)?.userIds.join() === 'ben', 'ada no more')
    clearInterval(speech)
    await until(async () => spoke().at(-1)?.userIds.length === 0, 'nobody')
    // On a busy machine, a gap in what ben sends counts as silence, so there may be more than four changes.
    const lists = spoke().map(({ userIds }) => userIds.join())
    assert.ok(lists.length >= 4 && lists.every((list, at) => list !== lists[at - 1]), 'only changes are sent')
  })

  test('SFU-5: a listener hears as many speakers as they have slots, without gaps', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `speaker ${at}`)
    const speakers = await Promise.all(
      names.map((name) => RawVoiceClient.enter(sfu, [name, 'crowd'], { canHear: false })),
    )
    using listener = await RawVoiceClient.enter(sfu, ['listener', 'crowd'])
    const heard = new Map<number, number[]>()
    listener.onPacket((packet) => {
      const ssrc = packet.readUInt32BE(8)
      if (packet[1] !== undefined && (packet[1] & 127) === 111)
        heard.set(ssrc, [...(heard.get(ssrc) ?? []), packet.readUInt16BE(2)])
    })
    using speech = setInterval(() => {
      for (const speaker of speakers) speaker.speak()
    }, 20)
    await until(
      async () => heard.size === 8 && [...heard.values()].every(({ length }) => length > 50),
      'eight',
    )
    clearInterval(speech)
    for (const speaker of speakers) speaker.close()
    for (const sequences of heard.values()) {
      assert.ok(
        sequences.every((sequence, at) => at === 0 || sequence === (((sequences[at - 1] ?? 0) + 1) & 0xffff)),
        sequences.join(),
      )
    }
    assert.equal(new Set(sfu.heardBy('listener')).size, 8)
  })

  test('SFU-3: nothing is sent to addresses in an offer', async () => {
    const foreign = createSocket('udp4')
    const arrived: string[] = []
    foreign.on('message', (message, { port }) => {
      if (port === sfu.port) arrived.push(message.toString('hex'))
    })
    await new Promise<void>((resolve) => foreign.bind(0, '127.0.0.1', resolve))
    const candidate = `a=candidate:1 1 udp 2122260223 127.0.0.1 ${foreign.address().port} typ host`
    using speaker = await RawVoiceClient.enter(sfu, ['speaker', 'foreign'])
    await sfu.join('ada', 'foreign')
    using ada = new VoicePeer({ tone: 440 })
    await ada.join((offer) => sfu.signal('ada', `${offer}${candidate}\r\na=end-of-candidates\r\n`))
    using speech = setInterval(() => speaker.speak(), 20)
    await until(async () => ada.hasReceived(0), 'ada gets what is meant for her')
    clearInterval(speech)
    foreign.close()
    assert.deepEqual(arrived, [])
  })

  test('SFU-1: a valid offer may follow a refused one, and then no other', async () => {
    await sfu.join('ada', 'offers')
    const refuses = (code: string) => (error: unknown) => error instanceof RefusedError && error.code === code
    await assert.rejects(sfu.signal('ada', 'v=0\r\n'.repeat(500)), refuses('invalid_offer'))
    await assert.rejects(sfu.signal('nobody', 'v=0'), refuses('unknown_voice_session'))
    using ada = new VoicePeer()
    await ada.join((offer) => sfu.signal('ada', offer))
    using late = new VoicePeer()
    await assert.rejects(sfu.signal('ada', await late.offer()), refuses('invalid_offer'))
  })

  test('SFU-10: a client that is kicked, or whose room is closed, neither sends nor receives any more', async () => {
    using kim = await enterRoom(sfu, ['kim', 'doomed'], { tone: 440 })
    using lou = await enterRoom(sfu, ['lou', 'doomed'], { tone: 1000 })
    using max = await enterRoom(sfu, ['max', 'doomed'], { tone: 2000 })
    await Promise.all([kim.hears(1000, 2000), lou.hears(440, 2000), max.hears(440, 1000)])
    await sfu.ask('kick', { sessionId: 'kim' })
    await Promise.all([kim.hears(), lou.hears(2000), max.hears(1000)])
    assert.deepEqual(sfu.heardBy('lou'), [undefined, 'max'])
    await sfu.ask('closeRoom', { roomId: 'doomed' })
    await Promise.all([lou.hears(), max.hears()])
    assert.ok(!sfu.tells('left').some(({ sessionId }) => sessionId === 'max'), 'who closed it knows')
  })

  test('SFU-10: joining again ends the previous media, and accepts a new offer', async () => {
    using ada = await enterRoom(sfu, ['ada', 'anew'], { tone: 440 })
    using ben = await enterRoom(sfu, ['ben', 'anew'], { tone: 1000 })
    await Promise.all([ada.hears(1000), ben.hears(440)])
    using again = await enterRoom(sfu, ['ada', 'anew'], { tone: 2000 })
    await Promise.all([ada.hears(), again.hears(1000), ben.hears(2000)])
  })
})
