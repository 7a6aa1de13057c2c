import type { Room } from '@foyer/protocol/rooms'
import type { Space } from '@foyer/protocol/spaces'
import { Client } from '@foyer/sdk/client'
import { picture, type SampleFile, sound, text } from '../sample-files.ts'
import type { Settled } from '../settled.ts'

export interface Company {
  space: Space
  room: Room
  mira: Settled
  jonas: Settled
  lena: Settled
}

/** Text of the newest message, directly above the composer. */
export const NEWEST = 'See you at the gate.'
/** File name of a picture in the room, and the text of its message. */
export const PHOTO = 'evening.png'
export const PHOTO_MESSAGE = 'From the top'

/** Posts messages of every kind. Returns the user id of the bot that it adds to the space. */
export async function fillRoom(company: Company): Promise<string> {
  const { room, mira, jonas, lena } = company
  await mira.client.rooms.update(company.space.id, room.id, {
    description: 'Where we go, and who comes along',
  })
  await talk(company)
  await sendFiles(company)
  await sendEmbeds(company)
  const botUserId = await letBotSpeak(company)
  const answer = await lena.client.messages.create(room.id, { content: 'I come too.' })
  await lena.client.messages.create(room.id, { content: 'With **boots**.' })
  const reply = { type: 0, message_id: answer.id }
  await jonas.client.messages.create(room.id, { content: 'Good!', reference: reply })
  await jonas.client.messages.create(room.id, { content: '🎉🎉' })
  await mira.client.messages.create(room.id, { content: NEWEST })
  return botUserId
}

const MARKS = [
  '# What to bring',
  '**boots**, *socks*, ~~umbrellas~~, `water` and ||a surprise||, see <https://hikers.example/list> or [the list](https://hikers.example)',
  '- tent\n- stove\n  1. gas\n  2. matches',
  '> Whoever comes first\n> takes the best place.',
  '```ts\nexport const height: number = 2469 // metres\n```',
].join('\n\n')

async function talk({ room, mira, jonas }: Company): Promise<void> {
  const marks = await mira.client.messages.create(room.id, { content: MARKS })
  await mira.client.pins.add(room.id, marks.id)
  const address = { channel: room.id, id: marks.id }
  await jonas.client.reactions.add(address, '🎉')
  await mira.client.reactions.add(address, '🎉')
  await jonas.client.reactions.add(address, '👍')
  const content = `<@${mira.id}>, shall we meet in <#${room.id}> at seven? @everyone`
  const asked = await jonas.client.messages.create(room.id, { content })
  await jonas.client.messages.update(room.id, asked.id, { content: `${content} Or eight?` })
  const forward = { type: 1, message_id: marks.id, room_id: room.id }
  await jonas.client.messages.create(room.id, { reference: forward })
  await mira.client.messages.create(room.id, { content: 'Quietly.', flags: 2 })
}

async function sendFiles({ space, room, mira, jonas }: Company): Promise<void> {
  const [emoji] = await mira.client.emojis.list(space.id)
  const [sticker] = await mira.client.stickers.list(space.id)
  const photos = [
    picture(PHOTO, { width: 600, height: 400, sky: [232, 120, 70] }),
    picture('night.png', { width: 400, height: 400, sky: [80, 62, 140] }),
  ]
  const others = [text('packing list for everybody who comes along.txt', 'tent\nstove\n'), sound('river.wav')]
  await jonas.client.messages.createWithFiles(room.id, { content: PHOTO_MESSAGE }, photos.map(fileOf))
  await mira.client.messages.createWithFiles(room.id, { content: '' }, others.map(fileOf))
  await mira.client.messages.create(room.id, { content: `Look: <:sunrise:${emoji?.id}>` })
  await mira.client.messages.create(room.id, { sticker_ids: [sticker?.id ?? ''] })
}

async function sendEmbeds({ room, mira }: Company): Promise<void> {
  const webhook = await mira.client.webhooks.create(room.id, { name: 'Weather station' })
  await mira.client.webhooks.execute(webhook, {
    content: 'News from the ridge',
    embeds: [
      {
        title: 'Wind from the west',
        url: 'https://weather.example/',
        description: 'Take a **jacket**.',
        color: 0x2f7547,
        author: { name: 'Station 4' },
        fields: [
          { name: 'Wind', value: '12 m/s', inline: true },
          { name: 'Rain', value: 'none', inline: true },
        ],
        footer: { text: 'Measured at six' },
      },
    ],
  })
}

const BUTTONS = [
  { type: 'button', style: 'primary', label: 'And then?', custom_id: 'more' },
  { type: 'button', style: 'danger', label: 'Stop', custom_id: 'stop' },
  { type: 'button', style: 'link', label: 'Source', url: 'https://weather.example/' },
]

const CITIES = {
  type: 'select',
  custom_id: 'elsewhere',
  placeholder: 'Another city',
  options: ['Basel', 'Bergen'].map((name) => ({ label: name, value: name })),
}

const COMMAND = {
  name: 'forecast',
  description: 'Tells the weather of a city',
  options: [
    { name: 'city', description: 'Where', type: 'string', required: true },
    { name: 'days', description: 'How far ahead', type: 'integer', min: 1, max: 7 },
  ],
}

async function letBotSpeak({ space, room, mira }: Company): Promise<string> {
  const { application, token } = await mira.client.applications.create({ name: 'Weather' })
  const bot = new Client({ baseUrl: new URL(mira.person.page.url()).origin, botToken: token })
  await mira.client.members.addBot(space.id, application.bot.id)
  await bot.interactions.setCommands(application.id, [COMMAND])
  await bot.messages.create(room.id, {
    content: '**Bergen**: sunny, 21 °C',
    components: [{ components: BUTTONS }, { components: [CITIES] }],
  })
  return application.bot.id
}

function fileOf({ name, mimeType, buffer }: SampleFile): File {
  return new File([new Uint8Array(buffer)], name, { type: mimeType })
}
