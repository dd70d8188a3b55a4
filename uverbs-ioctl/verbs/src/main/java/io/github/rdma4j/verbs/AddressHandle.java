// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.uverbs.AhAttrBytes.CreateAh;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The address of a port or multicast group, for the datagrams of {@link SendWorkRequest#to} ({@code ibv_create_ah(3)}).
 *
 * <p>Created by {@link ProtectionDomain#createAh}, for all datagram queue pairs of that domain. Close an address handle
 * after the sends to it have completed. A send that the device has not started by then completes in error and moves its
 * queue pair to the error state. Closing an address handle earlier has no other effect.
 *
 * <pre>{@code
 * try (MemoryRegion region = queues.registerMessages(buffer);
 *         DatagramPeer.Handle to = queues.handle(peer)) {
 *     queues.postDatagram(1, region, 0, 8, to);
 *     queues.awaitSend(limit);
 * }
 * }</pre>
 */
public final class AddressHandle extends VerbsObject {
    private final DomainHost host;
    private final AhAttr attributes;
    private final Created.Ah created;
    private final AddressVector vector;

    private AddressHandle(DomainHost host, AhAttr attributes, Created.Ah created, AddressVector vector) {
        super(host.pd());
        this.host = host;
        this.attributes = attributes;
        this.created = created;
        this.vector = vector;
    }

    /** Creates an address handle, for which the kernel keeps {@code cookie}. */
    static AddressHandle create(DomainHost host, long cookie, AhAttr attributes) throws RdmaException {
        return create(
                () -> {
                    Checks.address(attributes);
                    return named(host.control(), attributes, none -> make(host, cookie, attributes))
                            .send(DriverExchange.NONE);
                },
                host.pd());
    }

    private static AddressHandle make(DomainHost host, long cookie, AhAttr attributes) throws RdmaException {
        if (!host.driver().hasAddressHandleCommand()) {
            AddressVector vector =
                    host.driver().addressHandle(host.created(), attributes).finish(Created.Ah.NONE);
            return new AddressHandle(host, attributes, Created.Ah.NONE, vector);
        }
        CreateAh command = new CreateAh(cookie, host.pdHandle(), attributes);
        Creating.Steps<Created.Ah, AddressVector> steps = new Creating.Steps<>(
                driver -> host.control().createAh(command, driver),
                created -> host.control().destroy(ControlPath.Kind.AH, created.handle()),
                (vector, destroyed) -> {});
        return Creating.locked(
                host.driver().addressHandleLock(),
                () -> Creating.make(
                        () -> host.driver().addressHandle(host.created(), attributes),
                        steps,
                        (created, vector) -> new AddressHandle(host, attributes, created, vector)));
    }

    /**
     * Wraps {@code command}, so that its refusal names the port or the source GID index that does not exist. The device
     * is queried only after a refusal.
     */
    private static <G> Creating.Command<G> named(ControlPath control, AhAttr to, Creating.Command<G> command) {
        return DeviceLimits.advised(Set.of(Errno.EINVAL, Errno.ENODATA), () -> missing(control, to), command);
    }

    private static String missing(ControlPath control, AhAttr to) throws RdmaException {
        DeviceLimits.Option port = new DeviceLimits.Option("portNum", to.portNum(), 1, DeviceAttr::physPortCnt);
        String noPort = DeviceLimits.refused(control, List.of(port));
        return noPort.isEmpty() && to.isGlobal() ? missingGid(control, to) : noPort;
    }

    private static String missingGid(ControlPath control, AhAttr to) throws RdmaException {
        String index = "sgidIndex is " + to.sgidIndex() + ": the GID table of port " + to.portNum() + " has ";
        int entries = control.queryPort(to.portNum()).gidTblLen();
        if (to.sgidIndex() >= entries) {
            return index + entries + " entries; accepted 0 to " + (entries - 1);
        }
        Optional<List<GidEntry>> table = control.queryGidTable();
        List<Integer> used = table.orElse(List.of()).stream()
                .filter(entry -> entry.portNum() == to.portNum())
                .map(GidEntry::gidIndex)
                .toList();
        return table.isEmpty() || used.contains(to.sgidIndex())
                ? ""
                : index + "no GID there; accepted are the indexes " + used;
    }

    /** Returns the address that this handle was created for. */
    public AhAttr attributes() {
        return attributes;
    }

    VerbsObject pd() {
        return host.pd();
    }

    /** Returns the address in the form that the provider uses in work requests. */
    AddressVector vector() {
        return vector;
    }

    @Override
    void destroy() throws RdmaException {
        if (host.driver().hasAddressHandleCommand()) {
            host.control().destroy(ControlPath.Kind.AH, created.handle());
        }
    }

    @Override
    public String toString() {
        return "AddressHandle[" + attributes.dgid() + ", port " + attributes.portNum() + "]";
    }
}
