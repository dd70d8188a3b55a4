# SPDX-License-Identifier: Apache-2.0
# DEVICE TYPE NETDEV [+SECOND-NETDEV]: makes the InfiniBand device again, with the manager that ran on it, and waits for IPoIB
# if the nodes started with one.
rdma link add "$1$4" type "$2" netdev "$3" || exit
if [ -e /run/opensm/pid ]; then
    kill -KILL $(cat /run/opensm/pid) 2>&-
    until grep -q INIT /sys/class/infiniband/$1/ports/1/state; do sleep 0.02; done
    sh /run/opensm/start
fi
if grep -q rdma4j.manager=0 /proc/cmdline; then exec ip -batch /run/rdma4j/ib0; fi
ports=/sys/class/infiniband/$1/ports
for i in $(seq 1000); do
    if ! grep -qv ACTIVE $ports/*/state; then break; fi
    sleep 0.02
done
ip -batch /run/rdma4j/ib0 || exit
tries=1000
for port in $ports/*; do
    until grep -q 1 /sys/class/net/ib$((${port##*/} - 1))/carrier; do
        if [ $((tries -= 1)) = 0 ]; then echo "$1 does not become active" >&2; exit 1; fi
        sleep 0.02
    done
done
