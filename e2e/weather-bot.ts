import { Bot } from '@foyer/sdk/bot'
import type { Settled } from './settled.ts'

const cities = ['Basel', 'Bergen', 'Berlin', 'Bern', 'Porto']

/**
 * Starts a bot in a space of its owner. It has a command for forecasts, whose answer has buttons, a select and a form.
 */
export async function startWeatherBot(owner: Settled, spaceId: string, baseUrl: string): Promise<Bot> {
  const { application, token } = await owner.client.applications.create({ name: 'Weather' })
  await owner.client.members.addBot(spaceId, application.bot.id)
  const weather = new Bot({
    baseUrl,
    token,
    onError: (error) => process.stderr.write(`the bot: ${error}\n`),
  })
  answerForecasts(weather)
  answerComponents(weather)
  await weather.start()
  return weather
}

const forecast = {
  name: 'forecast',
  description: 'Tells the weather of a city',
  options: [
    { name: 'city', description: 'Where', type: 'string', required: true, autocomplete: true },
    { name: 'days', description: 'How far ahead', type: 'integer', min: 1, max: 7 },
    {
      name: 'unit',
      description: 'Of the temperature',
      type: 'string',
      choices: [
        { name: 'Celsius', value: 'C' },
        { name: 'Fahrenheit', value: 'F' },
      ],
    },
  ],
}

const buttons = [
  { type: 'button', style: 'primary', label: 'And then?', custom_id: 'more' },
  { type: 'button', style: 'secondary', label: 'That is wrong', custom_id: 'wrong' },
  { type: 'button', style: 'link', label: 'Source', url: 'https://weather.example/' },
]

const elsewhere = {
  type: 'select',
  custom_id: 'elsewhere',
  placeholder: 'Another city',
  options: cities.map((name) => ({ label: name, value: name })),
}

const sky = { type: 'text_input', custom_id: 'what', label: 'The sky', style: 'paragraph', required: true }

function answerForecasts(weather: Bot): void {
  weather
    .command(forecast, (asked) => {
      const [city, days, unit] = [asked.string('city'), asked.integer('days', 1), asked.string('unit', 'C')]
      return asked.reply({
        content: `**${city}**, ${days} days: sunny, 21 °${unit}`,
        components: [{ components: buttons }, { components: [elsewhere] }],
      })
    })
    .autocomplete('forecast', (asked) => {
      const typed = asked.focused.value.toLowerCase()
      return asked.suggest(cities.filter((name) => name.toLowerCase().startsWith(typed)))
    })
}

function answerComponents(weather: Bot): void {
  const title = 'What is it really like?'
  weather
    .component('more', (asked) => asked.update({ content: 'Then it rains.', components: [] }))
    .component('elsewhere', (asked) => asked.update(`**${asked.values[0]}**: fog`))
    .component('wrong', (asked) =>
      asked.showModal({ custom_id: 'complaint', title, components: [{ components: [sky] }] }),
    )
    .modal('complaint', (asked) =>
      asked.reply({ content: `Thank you, I look up: ${asked.field('what')}`, ephemeral: true }),
    )
}
