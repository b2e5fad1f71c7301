#!/bin/sh
# The agent of the chaos harness: writes down, outside of the database, that it has started and that it has ended. It gets the
# ledger as its argument, and how many seconds to work on standard input.
read -r seconds
at=0
if [ -r /proc/uptime ]; then read -r at rest < /proc/uptime; fi
echo "S $HORARIUM_TASK_ID $HORARIUM_SCHEDULED_FOR $HORARIUM_RUN_ID $$ $at" >> "$1"
case "$seconds" in 0) ;; *) sleep "$seconds" ;; esac
echo "E $HORARIUM_RUN_ID" >> "$1"
