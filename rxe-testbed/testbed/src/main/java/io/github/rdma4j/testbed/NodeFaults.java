// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** The faults of one node. */
final class NodeFaults {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Makes the device again, and waits until the port is active and the IPv4 address is in the table of GIDs. */
    private static final String MAKE_DEVICE = """
            rdma link add "$1" type "$2" netdev "$3" || exit
            port=/sys/class/infiniband/$1/ports/1
            for i in $(seq 1000); do
                if grep -q ACTIVE $port/state && grep -qs ffff:0a4d $port/gids/*; then exit 0; fi
                sleep 0.02
            done
            echo "$1 does not become active" >&2
            exit 1
            """;

    /** Makes the InfiniBand device again, with the manager that ran on it, and waits for IPoIB if the nodes started with one. */
    private static final String MAKE_INFINIBAND = """
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
            """;

    private final NodeRuntime runtime;
    private final String linkType;
    private final String networkDevice;
    private final String secondPort;
    private final Optional<VirtualEthernet> ethernet;
    private final BooleanSupplier testbedClosed;
    private final AtomicBoolean impaired = new AtomicBoolean();
    private final AtomicBoolean removed = new AtomicBoolean();

    NodeFaults(
            NodeRuntime runtime,
            String linkType,
            List<String> networkDevices,
            Optional<VirtualEthernet> ethernet,
            BooleanSupplier testbedClosed) {
        this.runtime = runtime;
        this.linkType = linkType;
        networkDevice = networkDevices.get(0);
        secondPort = networkDevices.size() == 1 ? "" : "+" + networkDevices.get(1);
        this.ethernet = ethernet;
        this.testbedClosed = testbedClosed;
    }

    Fault impair(Node node, Netem netem) throws IOException, InterruptedException {
        claim(impaired, node + " has such faults already; close them first");
        List<String> line = new ArrayList<>(List.of("qdisc", "replace", "dev", networkDevice, "root"));
        line.addAll(netem.arguments());
        start(impaired, node, Command.of("tc", line.toArray(String[]::new)));
        return fault(netem + " on " + node, () -> {
            run(node, Command.of("tc", "qdisc", "del", "dev", networkDevice, "root"));
            impaired.set(false);
        });
    }

    Fault removeDevice(Node node) throws IOException, InterruptedException {
        String name = node.device().orElse("");
        if (linkType.isEmpty()) {
            throw new IllegalStateException("only rxe, siw and ib devices can be removed");
        }
        claim(removed, "the device of " + node + " is removed already");
        start(removed, node, Command.of("rdma", "link", "del", name));
        return fault("removal of " + name + " on " + node, () -> {
            String script = linkType.equals("softib") ? MAKE_INFINIBAND : MAKE_DEVICE;
            run(node, Command.of("sh", "-c", script, "sh", name, linkType, networkDevice, secondPort));
            removed.set(false);
        });
    }

    private static void claim(AtomicBoolean taken, String message) {
        if (!taken.compareAndSet(false, true)) {
            throw new IllegalStateException(message);
        }
    }

    private static void start(AtomicBoolean claimed, Node node, Command command)
            throws IOException, InterruptedException {
        boolean done = false;
        try {
            run(node, command);
            done = true;
        } finally {
            claimed.set(done);
        }
    }

    private static void run(Node node, Command command) throws IOException, InterruptedException {
        node.exec(command.toBuilder().timeout(PATIENCE).build()).requireSuccess();
    }

    /** Stops the frames first, so that no frame is on its way to the node and no other node waits for it. */
    Fault freeze() throws IOException, InterruptedException {
        ethernet.ifPresent(network -> {
            network.faults().isolate(runtime.number);
            network.settle(runtime.number);
        });
        runtime.freezes.incrementAndGet();
        Fault freeze = fault("freeze of node " + runtime.number, this::thaw);
        boolean frozen = false;
        try {
            runtime.session.freeze();
            frozen = true;
            return freeze;
        } catch (TestbedException e) {
            throw TestbedFailureException.of("node " + runtime.number + " cannot be frozen: ", e);
        } finally {
            if (!frozen) {
                freeze.close();
            }
        }
    }

    private void thaw() throws IOException, InterruptedException {
        boolean thawed = false;
        try {
            if (runtime.freezes.decrementAndGet() == 0) {
                runtime.session.thaw();
            }
            thawed = true;
            ethernet.ifPresent(network -> network.faults().rejoin(runtime.number));
        } catch (TestbedException e) {
            throw TestbedFailureException.of("node " + runtime.number + " cannot be thawed: ", e);
        } finally {
            if (!thawed) {
                runtime.freezes.incrementAndGet();
            }
        }
    }

    private Fault fault(String name, Fault.Remedy remedy) {
        return new Fault(name, () -> {
            if (!testbedClosed.getAsBoolean()) {
                remedy.apply();
            }
        });
    }
}
