import { Bot } from '@foyer/sdk/bot'
import type { Settled } from './settled.ts'

const cities = ['Basel', 'Bergen', 'Berlin', 'Bern', 'Porto']

/** A bot of somebody's, in a space of theirs: it forecasts, can be asked for more, and takes complaints. */
export async function startWeatherBot(owner: Settled, spaceId: string, baseUrl: string): Promise<Bot> {
  const { application, token } = await owner.client.applications.create({ name: 'Weather' })
  await owner.client.members.addBot(spaceId, application.bot.id)
  const weather = new Bot({
    baseUrl,
    token,
    onError: (error) => process.stderr.write(`the bot: ${error}\n`),
  })
  describe(weather)
  await weather.start()
  return weather
}

function describe(weather: Bot): void {
  const city = { name: 'city', description: 'Where', type: 'string', required: true, autocomplete: true }
  const days = { name: 'days', description: 'How far ahead', type: 'integer', min: 1, max: 7 }
  const unit = {
    name: 'unit',
    description: 'Of the temperature',
    type: 'string',
    choices: [
      { name: 'Celsius', value: 'C' },
      { name: 'Fahrenheit', value: 'F' },
    ],
  }
  const elsewhere = {
    type: 'select',
    custom_id: 'elsewhere',
    placeholder: 'Another city',
    options: cities.map((name) => ({ label: name, value: name })),
  }
  weather
    .command(
      { name: 'forecast', description: 'Tells the weather of a city', options: [city, days, unit] },
      (asked) =>
        asked.reply({
          content: `**${asked.string('city')}**, ${asked.integer('days', 1)} days: sunny, 21 °${asked.string('unit', 'C')}`,
          components: [
            {
              components: [
                { type: 'button', style: 'primary', label: 'And then?', custom_id: 'more' },
                { type: 'button', style: 'secondary', label: 'That is wrong', custom_id: 'wrong' },
                { type: 'button', style: 'link', label: 'Source', url: 'https://weather.example/' },
              ],
            },
            { components: [elsewhere] },
          ],
        }),
    )
    .autocomplete('forecast', (asked) =>
      asked.suggest(
        cities.filter((name) => name.toLowerCase().startsWith(asked.focused.value.toLowerCase())),
      ),
    )
    .component('more', (asked) => asked.update({ content: 'Then it rains.', components: [] }))
    .component('elsewhere', (asked) => asked.update(`**${asked.values[0]}**: fog`))
    .component('wrong', (asked) =>
      asked.showModal({
        custom_id: 'complaint',
        title: 'What is it really like?',
        components: [
          {
            components: [
              { type: 'text_input', custom_id: 'what', label: 'The sky', style: 'paragraph', required: true },
            ],
          },
        ],
      }),
    )
    .modal('complaint', (asked) =>
      asked.reply({ content: `Thank you, I look up: ${asked.field('what')}`, ephemeral: true }),
    )
}
