// The example on standard input, before a service.
import { answerStandardInput } from '../../../examples/control/standard-input.mjs'
import { hooks } from './hooks.mjs'

await answerStandardInput({ name: 'example', version: '1', hooks })
