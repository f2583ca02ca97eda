import { request } from 'undici'
import { expect, it } from 'vitest'

const { BENCH_URL = '', BENCH_COUNT = '0' } = process.env

it.each(Array.from({ length: Number(BENCH_COUNT) }, (_, index) => index))('GET %i', async () => {
  const answer = await request(`${BENCH_URL}/v1/events`)
  expect(answer.statusCode).toBe(200)
  expect(await answer.body.json()).toHaveProperty('data')
})
