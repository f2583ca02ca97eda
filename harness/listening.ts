// The entry for what listens: the sink, its certificate and its answers. It loads no package.
export { freePort } from './free-port.js'
export { status, type Answer } from './sink/answer.js'
export { sinkCertificate, type SinkCertificate } from './sink/certificate.js'
export type { Endpoint } from './sink/endpoint.js'
export { listeningAs, ListenRefused } from './sink/listen-refused.js'
export { sort } from './sink/listener.js'
export { Sink } from './sink/sink.js'
export { trackSockets } from './sink/sockets.js'
