// The same GETs as 500 vitest tests; run by the row `gets` only.
export default { test: { include: ['proof/lab/bench/peers/gets.vitest.js'] } }
