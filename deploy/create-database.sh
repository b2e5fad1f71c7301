#!/bin/sh
# Run once by the PostgreSQL image, when its volume is empty: a login role that is no superuser, and its database.
# It may make roles, since the first migration makes the restricted one that Horarium works as.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_PASSWORD" --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
create role horarium login createrole nosuperuser nobypassrls password :'password';
create database horarium owner horarium template template0 encoding 'UTF8';
SQL
