// Every connection a test opens passes this guard: anything but loopback throws before a packet leaves.
import { installLoopbackGuard } from '../loopback.js'

installLoopbackGuard()
