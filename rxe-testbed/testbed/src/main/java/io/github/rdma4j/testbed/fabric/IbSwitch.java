// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A switch of an InfiniBand fabric. It forwards by its tables, and answers management datagrams itself. Not
 * thread-safe.
 */
final class IbSwitch {
    private static final int TRAP_REPEATS = 5;
    private static final int NOTICE = 2;
    private static final int URGENT = 0x81;
    private static final int LINK_STATE_CHANGE = 128;
    private static final int MANAGEMENT_QKEY = 0x80010000;

    /** What is at the other ends of the cables. */
    interface Cables {
        /** Sends a packet through a port whose link is up. */
        void send(IbSwitch from, int port, IbPacket packet);

        /** Does what the manager has asked for. */
        void fulfil(IbSwitch owner, int port, SwitchPort.Wish wish);
    }

    private final Chassis chassis;
    private final Cables cables;
    private final SwitchAgent agent;
    private @Nullable Mad trap;
    private int trapsLeft;
    private long transaction;

    IbSwitch(Chassis chassis, Cables cables) {
        this.chassis = chassis;
        this.cables = cables;
        agent = new SwitchAgent(chassis, (port, wish) -> cables.fulfil(this, port.number(), wish));
    }

    Chassis chassis() {
        return chassis;
    }

    // ---- links -------------------------------------------------------------------------------------------------

    void linkUp(int port) {
        if (chassis.port(port).linkUp()) {
            tell();
        }
    }

    void linkDown(int port) {
        if (chassis.port(port).linkDown()) {
            tell();
        }
    }

    /** Tells the manager that a port has changed, until it has heard that. */
    private void tell() {
        agent.portHasChanged();
        trap = null;
        trapsLeft = TRAP_REPEATS;
        repeatTrap();
    }

    /** Sends the trap once more that the manager has not repressed. */
    void repeatTrap() {
        SwitchPort managed = chassis.port(0);
        if (trapsLeft == 0 || managed.lid() == 0 || managed.managerLid() == 0) {
            return;
        }
        trapsLeft--;
        if (trap == null) {
            trap = Mad.of(Mad.LID_ROUTED, Mad.TRAP, NOTICE, 0, ++transaction);
            trap.slice(Mad.DATA, Mad.DATA_BYTES)
                    .put(0, (byte) URGENT)
                    .putShort(2, (short) 2)
                    .putShort(4, (short) LINK_STATE_CHANGE)
                    .putShort(6, (short) managed.lid())
                    .putShort(10, (short) managed.lid());
        }
        forward(0, IbPacket.management(managed.lid(), managed.managerLid(), 0, 0, trap.toBytes()));
    }

    // ---- packets -----------------------------------------------------------------------------------------------

    /** Takes a packet that has come through a port. */
    void receive(int in, IbPacket packet) {
        SwitchPort port = chassis.port(in);
        if (port.state() == SwitchPort.DOWN) {
            return;
        }
        port.counters.received(packet);
        boolean subnet = packet.isSubnetManagement();
        if (subnet != (packet.queuePair() == 0) || (subnet && !packet.isIntact())) {
            port.counters.count(PortCounters.Kind.RECEIVE_ERRORS);
        } else if (subnet && packet.dlid() == IbPacket.PERMISSIVE_LID) {
            directed(in, packet);
        } else if (!subnet && port.state() != SwitchPort.ACTIVE) {
            port.counters.count(PortCounters.Kind.RECEIVE_CONSTRAINTS);
        } else {
            forward(in, packet);
        }
    }

    /** Forwards a packet by LID; it may be for this switch. */
    private void forward(int in, IbPacket packet) {
        if (packet.isMulticast()) {
            BitSet members = chassis.portsFor(packet.dlid());
            for (int out = members.nextSetBit(1);
                    out >= 0 && out <= chassis.externalPorts();
                    out = members.nextSetBit(out + 1)) {
                if (out != in) {
                    send(out, packet);
                }
            }
            return;
        }
        boolean own = packet.dlid() == chassis.port(0).lid();
        int out = own ? 0 : chassis.portFor(packet.dlid());
        if (out == 0) {
            local(in, packet);
        } else if (out > chassis.externalPorts()) {
            chassis.port(in).counters.count(PortCounters.Kind.RELAY_ERRORS);
        } else {
            send(out, packet);
        }
    }

    private void send(int out, IbPacket packet) {
        SwitchPort port = chassis.port(out);
        int least = packet.isSubnetManagement() ? SwitchPort.INIT : SwitchPort.ACTIVE;
        if (port.state() < least) {
            port.counters.count(PortCounters.Kind.SEND_DISCARDS);
        } else {
            port.counters.sent(packet);
            cables.send(this, out, packet);
        }
    }

    /** Follows a directed route: a hop further, a hop back, or the end of the route here. */
    private void directed(int in, IbPacket packet) {
        Optional<Mad> found = packet.mad().filter(mad -> mad.managementClass() == Mad.DIRECTED_ROUTE);
        if (found.isEmpty() || !found.get().hasGoodHops() || !found.get().isAllDirected()) {
            chassis.port(in).counters.count(PortCounters.Kind.RECEIVE_ERRORS);
            return;
        }
        Mad mad = found.get();
        int hop = mad.hopPointer();
        if (mad.returns()) {
            if (hop >= 2) {
                mad.hopPointer(hop - 1);
                hop(mad.returnPath(hop - 1), packet);
            }
        } else if (hop > 0 && hop < mad.hopCount()) {
            mad.returnPath(hop, in);
            mad.hopPointer(hop + 1);
            hop(mad.initialPath(hop + 1), packet);
        } else if (hop > 0 && hop == mad.hopCount()) {
            mad.returnPath(hop, in);
            if (agent.answer(mad, in)) {
                packet.make();
                mad.turnBack();
                hop(in, packet);
            }
        }
    }

    private void hop(int out, IbPacket packet) {
        if (out > 0 && out <= chassis.externalPorts()) {
            // Whoever answers sends its answer to the LID that it sees, and the answer has to travel back in hops.
            packet.withoutLids();
            packet.seal();
            send(out, packet);
        }
    }

    /** Takes a packet for this switch that came by LID. */
    private void local(int in, IbPacket packet) {
        Mad mad = packet.mad().orElse(null);
        if (mad == null || packet.queuePair() > 1) {
            chassis.port(in).counters.count(PortCounters.Kind.RECEIVE_ERRORS);
            return;
        }
        boolean subnet = packet.queuePair() == 0;
        if (subnet && mad.method() == Mad.TRAP_REPRESS) {
            if (trap != null && mad.transaction() == trap.transaction()) {
                trapsLeft = 0;
            }
        } else if (subnet ? mad.managementClass() == Mad.LID_ROUTED && agent.answer(mad, in) : asked(packet, mad)) {
            int qkey = subnet ? 0 : MANAGEMENT_QKEY;
            int queuePair = subnet ? 0 : packet.sourceQueuePair();
            forward(0, IbPacket.management(chassis.port(0).lid(), packet.slid(), queuePair, qkey, mad.toBytes()));
        }
    }

    private boolean asked(IbPacket packet, Mad mad) {
        return packet.qkey() == MANAGEMENT_QKEY && agent.answerPerformance(mad);
    }
}
