# SPDX-License-Identifier: Apache-2.0
# DEVICE TYPE NETDEV: makes the device again, and waits until the port is active and the IPv4 address is in the table of GIDs.
rdma link add "$1" type "$2" netdev "$3" || exit
port=/sys/class/infiniband/$1/ports/1
for i in $(seq 1000); do
    if grep -q ACTIVE $port/state && grep -qs ffff:0a4d $port/gids/*; then exit 0; fi
    sleep 0.02
done
echo "$1 does not become active" >&2
exit 1
