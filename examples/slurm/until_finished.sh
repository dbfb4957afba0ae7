#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One run of mdsim as a batch job of Slurm that puts itself back into the queue until the run has finished:
#
#   exec bash until_finished.sh LOG COMMAND...
#
# as the last line of a batch script. LOG is the run's NAME.log, COMMAND what starts mdsim (srun, mpirun). Only the log's
# last lines tell that a run has finished: srun may return 0 although a host has died.
set -u
log=$1
shift

finished() { tail -n 2 "$log" 2>/dev/null | grep -qx finished; }

# Five jobs in a row whose last checkpoint is the same will not get further by themselves.
stuck() {
    local ends="${log%.log}.requeues"
    { mdsim info "${log%.log}.checkpoint.h5" --json 2>/dev/null | grep state_hash || echo none; } >>"$ends"
    [ "$(wc -l <"$ends")" -ge 5 ] && [ "$(tail -n 5 "$ends" | sort -u | wc -l)" = 1 ]
}

# Slurm does not queue a job again that gives way within its time of grace.
preempted() { scontrol -o show job "$SLURM_JOB_ID" | grep -q 'JobState=RUNNING .*PreemptTime=[0-9]'; }

# USR1 comes by --signal before the end of the job, TERM by scancel, preemption or the time limit. The run is told by
# USR1: it finishes its step, writes a checkpoint and ends with 75. After TERM the job goes on only if it was preempted.
ended_by_slurm=no
trap 'kill -USR1 "$run" 2>/dev/null' USR1
trap 'ended_by_slurm=yes; kill -USR1 "$run" 2>/dev/null' TERM

# A step whose daemon was killed leaves PMIx's files on its host (Slurm 22.05), in the way of the next step with its
# number; in a job that runs again steps are counted from 0. So each try passes over as many numbers as there were tries
# before it, up to nine.
pass_over_steps() {
    local n
    for ((n = ${SLURM_RESTART_COUNT:-0} % 10; n > 0; n--)); do srun --nodes=1 --ntasks=1 --mpi=none true; done
}

{ pass_over_steps >/dev/null 2>&1; exec "$@"; } &
run=$!
while wait "$run"; code=$?; kill -0 "$run" 2>/dev/null; do :; done   # a signal to this script ends a wait early

if finished; then rm -f "${log%.log}.requeues"; exit 0; fi
echo "until_finished.sh: $(date '+%F %T'): the command ended with $code, and the run has not finished"
if [ $ended_by_slurm = yes ] && ! preempted; then exit "$code"; fi
case $code in
    # 75: stopped in time, or no progress; 0: srun has not noticed; 137, 143 and 1 of srun: killed with its host;
    # 138: USR1 came before the run was there.
    0 | 1 | 75 | 137 | 138 | 143) ;;
    *) exit "$code" ;;
esac
if stuck; then
    echo "until_finished.sh: no progress in five jobs: see $log"
    exit 1
fi
scontrol requeue "$SLURM_JOB_ID" && sleep 60   # Slurm ends this script now
exit "$code"
