# The command in a container:
#   docker build -t conformance .
#   docker run --rm --network host -e CONFORMANCE_API_KEY conformance run --base-url http://127.0.0.1:8080
FROM node:22-bookworm-slim AS build
WORKDIR /kit
COPY package.json package-lock.json .npmrc action.yml ./
RUN npm ci --ignore-scripts --no-audit
COPY tsconfig.json ./
COPY bin ./bin
COPY fixtures ./fixtures
COPY harness ./harness
COPY pages ./pages
COPY reference ./reference
COPY spec ./spec
COPY suites ./suites
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit

FROM node:22-bookworm-slim
WORKDIR /kit
COPY --from=build /kit/package.json ./
COPY --from=build /kit/action.yml ./
COPY --from=build /kit/node_modules ./node_modules
COPY --from=build /kit/dist ./dist
COPY --from=build /kit/fixtures ./fixtures
COPY --from=build /kit/spec ./spec
COPY --from=build /kit/bin/conformance.js ./bin/
RUN ln -s /kit/bin/conformance.js /usr/local/bin/conformance && chmod +x /kit/bin/conformance.js
# Where reports are written; mount a folder over it to keep them.
RUN mkdir /work && chown node:node /work
USER node
WORKDIR /work
ENTRYPOINT ["conformance"]
