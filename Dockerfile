# The image of every role. Build it in a clean checkout:
#   docker build -t podium:$(git rev-parse --short HEAD) .
# The second stage has no npm and no compiler. Node comes from the package `node`, in the version that package.json pins.
# Name the newest point release of Debian 12 here with each release of yours.
ARG DEBIAN=12.12-slim

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /srv/podium
# The packages change less often than the sources, so their layer is kept.
COPY package.json package-lock.json .npmrc ./
COPY api/commands/trim-packages.mjs api/commands/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf .cache prisma/generated

FROM debian:${DEBIAN}
RUN useradd --system --uid 10001 --home-dir /srv/podium --shell /usr/sbin/nologin podium \
  && install -d -o podium -g podium /var/lib/podium /var/lib/podium/files
WORKDIR /srv/podium
# Root owns the sources, so the program cannot change itself.
COPY --from=build /srv/podium ./
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/var/lib/podium \
  NODE_COMPILE_CACHE=/var/lib/podium/compiled \
  PATH=/srv/podium/node_modules/.bin:$PATH
USER podium
VOLUME /var/lib/podium
EXPOSE 3000 3001
# A process with the role `api` answers at PORT, any other at MONITOR_PORT, which it has to be given.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "Promise.any([process.env.PORT, process.env.MONITOR_PORT].map(async (port) => { if (!(await fetch(`http://127.0.0.1:${port}/healthz`)).ok) throw new Error(port); })).catch(() => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=4", "api/commands/start.ts"]
