# The server as an image: no build tools, no sources of the console, no database of its own.
#   docker build -t sunstead .
#   docker build -t sunstead --build-arg EMBEDDED_DATABASE=1 .    with PostgreSQL inside, to try it out
# It runs as an ordinary user on a read-only root: give it /data (files, secret key) and a /tmp in memory.
FROM node:26.10.0-trixie-slim AS build
ARG EMBEDDED_DATABASE=0
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/link-bin.js scripts/
RUN npm install --no-save --no-audit --no-fund --loglevel=error
COPY . .
RUN node scripts/build-console.js
RUN node scripts/build-docs.js
RUN node scripts/build-server.js
RUN node ops/image/prune.ts
RUN mkdir -p empty

FROM node:26.10.0-trixie-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/openapi ./openapi
COPY --from=build /app/ops/image/healthcheck.js ./ops/image/
COPY --from=build /app/site/dist ./site/dist
COPY --from=build /app/src ./src
COPY --from=build /app/web/dist ./web/dist
COPY --from=build /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/empty /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "ops/image/healthcheck.js"]
ENTRYPOINT ["node", "bin/sunstead.js"]
CMD ["serve"]
