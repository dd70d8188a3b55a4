// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.discovery.SysfsGid;
import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A port of a device in sysfs. */
record Port(Machine machine, RdmaDevice device, int number) {
    static Stream<Port> of(Machine machine, RdmaDevice device) {
        return IntStream.rangeClosed(1, device.portCount()).mapToObj(number -> new Port(machine, device, number));
    }

    /** Returns the name in the format of rdma(8), for example {@code rxe0/1}. */
    String name() {
        return device.name() + "/" + number;
    }

    /** Returns the state, for example {@code 4: ACTIVE}. */
    String state() {
        return files().text("state");
    }

    boolean isActive() throws RdmaException {
        return files().state() == PortAttr.State.ACTIVE;
    }

    /** Returns the physical state, for example {@code 5: LinkUp}. */
    String physicalState() {
        return files().text("phys_state");
    }

    /** Returns {@code Ethernet} or {@code InfiniBand}. */
    String linkLayer() {
        return files().text("link_layer");
    }

    boolean isEthernet() throws RdmaException {
        return files().linkLayer() == LinkLayer.ETHERNET;
    }

    private RdmaPort files() {
        return RdmaPort.of(machine.kernel(), device.name(), number);
    }

    List<SysfsGid> gids() throws RdmaException {
        return SysfsGid.read(machine.kernel(), device.name(), number);
    }

    /** The name of the underlying network interface; empty for none, as on InfiniBand. */
    Optional<String> netdevName() throws RdmaException {
        Optional<String> parent = machine.readSysfs("class/infiniband/" + device.name() + "/parent");
        return parent.isPresent()
                ? parent
                : gids().stream()
                        .map(SysfsGid::netdev)
                        .filter(netdev -> !netdev.isEmpty())
                        .findFirst();
    }
}
