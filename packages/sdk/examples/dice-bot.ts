import { Bot } from '@foyer/sdk/bot'

// BOT_TOKEN=… node dice-bot.ts [address of the server] [gateway or poll]
const bot = new Bot({
  baseUrl: process.argv[2] ?? 'http://localhost:8080',
  token: process.env.BOT_TOKEN ?? '',
  listen: process.argv[3] === 'poll' ? 'poll' : 'gateway',
  onError: (error) => process.stderr.write(`${error}\n`),
})

const sides = { name: 'sides', description: 'How many sides', type: 'integer', min: 2, max: 1000 }
const again = (most: number) => [
  { components: [{ type: 'button', label: 'Again', custom_id: `roll:${most}` }] },
]

bot.command({ name: 'roll', description: 'Rolls a die', options: [sides] }, (interaction) => {
  const most = interaction.integer('sides', 6)
  return interaction.reply({ content: `🎲 ${roll(most)}`, components: again(most) })
})

bot.component('roll:', (interaction) =>
  interaction.update(`🎲 ${roll(Number(interaction.customId.slice(5)))}`),
)

function roll(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}

await bot.start()
process.stdout.write('the dice are ready\n')
