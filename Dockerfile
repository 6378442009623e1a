FROM node:20-bookworm-slim AS pages
WORKDIR /app/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

# the pool of database connections, with psql for its health
FROM debian:bookworm-slim AS pool
RUN apt-get update && apt-get install -y --no-install-recommends pgbouncer postgresql-client \
    && rm -rf /var/lib/apt/lists/*
COPY ops/production/pool.sh /usr/local/bin/pool.sh
USER postgres
CMD ["sh", "/usr/local/bin/pool.sh"]

# Barman beside the programs of the database's own version
FROM postgres:18 AS backup
RUN apt-get update && apt-get install -y --no-install-recommends file gnupg python3-venv \
    && rm -rf /var/lib/apt/lists/* && install -d -o postgres -g postgres /backup
COPY requirements/backup.txt /opt/backup/
# without what barman names, as one of that has to be compiled (requirements/backup.in)
RUN python3 -m venv /opt/backup \
    && /opt/backup/bin/pip install --no-cache-dir --no-deps --require-hashes -r /opt/backup/backup.txt
COPY ops/production/backup.py /opt/backup/backup.py
ENV PATH=/opt/backup/bin:$PATH
USER postgres

FROM python:3.11-slim-bookworm AS app
RUN useradd --create-home --uid 10001 ampacity \
    && install -d -o ampacity -g ampacity /var/lib/ampacity
WORKDIR /app
COPY requirements/ requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/uv.txt \
    && uv pip install --system --no-cache --require-hashes \
       -r requirements/base.txt -r requirements/science.txt -r requirements/tracing.txt \
       -r requirements/objects.txt
COPY backend/ backend/
COPY worker/ worker/
COPY migrations/ migrations/
COPY fixtures/ fixtures/
COPY LICENSE pyproject.toml ./
COPY ops/ ops/
COPY frontend/src/tokens.json frontend/src/tokens.json
COPY --from=pages /app/frontend/dist frontend/dist
RUN python -c "import site; print(site.getsitepackages()[0])" \
    | xargs -I{} sh -c 'printf "/app\n/app/backend\n/app/worker\n" > {}/ampacity.pth'
ENV PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    FRONTEND_DIST=/app/frontend/dist \
    AMPACITY_VAR=/var/lib/ampacity \
    NUMBA_CACHE_DIR=/var/lib/ampacity/cache/numba \
    MPLCONFIGDIR=/var/lib/ampacity/cache/matplotlib \
    OPENBLAS_NUM_THREADS=1 \
    OMP_NUM_THREADS=1
USER ampacity
EXPOSE 8000 8001
CMD ["gunicorn", "config.wsgi:application", "--bind=0.0.0.0:8000", "--worker-class=config.serving.Threads", \
     "--workers=2", "--threads=8", "--no-control-socket", "--worker-tmp-dir=/dev/shm"]
