// The example as a middleware of express, or with `plain` of node:http, before a service; prints where it is.
import { createServer } from 'node:http'
import express from 'express'
import { controlMiddleware } from '../../../examples/control/middleware.mjs'
import { hooks } from './hooks.mjs'

const [behaviour = 'plain'] = process.argv.slice(2)
const options = { key: 'example-key', name: 'example', version: '1', hooks }
const app = express()
if (behaviour === 'parsed') app.use(express.json())
app.use('/_control', controlMiddleware(options))
const plain = controlMiddleware({ ...options, path: '/_control' })
const handlers = { plain: (request, response) => plain(request, response, () => response.writeHead(404).end()) }
const server = createServer(handlers[behaviour] ?? app).listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/_control` }))
})
process.stdin.resume().on('end', () => process.exit(0))
