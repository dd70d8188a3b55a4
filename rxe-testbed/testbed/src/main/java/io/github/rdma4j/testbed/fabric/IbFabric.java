// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The switches between the nodes of a testbed with InfiniBand. Each {@linkplain NodeLink#station station} is connected to
 * the port of its number; several switches stand in a row. Thread-safe.
 */
public final class IbFabric implements VirtualEthernet.Switching, AutoCloseable {
    /** A switch uses the ports of the stations at it. Two lead to its neighbours, those for second ports follow. */
    private static final int TO_PREVIOUS = NodeLink.MOST_NODES + 1;

    private static final int TO_NEXT = NodeLink.MOST_NODES + 2;

    /** Where tables lead in a circle, a packet ends after so many switches. */
    private static final int MOST_HOPS = 64;

    private static final int TYPE_OFFSET = 12;
    private static final int TRAP_SECONDS = 1;

    /** Sends a frame of a station, or of a switch as station 0, to a station. */
    public interface Sender {
        void send(int from, int to, byte[] frame);
    }

    private record Arrival(IbSwitch at, int port, IbPacket packet, int hops) {}

    private record Departure(int to, Runnable sending) {}

    private final Sender sender;
    private final List<IbSwitch> switches = new ArrayList<>();
    private final Map<Integer, NodeCable> cables = new HashMap<>();
    private final Map<Integer, Duration> delays = new ConcurrentHashMap<>();
    private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
    private final List<Departure> departures = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(IbFabric::thread);
    private int hiddenCapabilities;
    private int from;
    private int hops;

    /** A fabric of nodes with so many ports each, which are spread over the switches in order. */
    public IbFabric(int nodes, int ports, int switchCount, Sender sender) {
        this.sender = sender;
        IbSwitch.Cables ends = new Ends();
        int portsOfSwitch = ports == 1 ? TO_NEXT : NodeLink.station(NodeLink.MOST_NODES, ports);
        for (int number = 1; number <= switchCount; number++) {
            switches.add(new IbSwitch(new Chassis(number, portsOfSwitch), ends));
        }
        for (int node = 1; node <= nodes; node++) {
            for (int port = 1; port <= ports; port++) {
                IbSwitch at = switches.get((node - 1) * switchCount / nodes);
                int to = NodeLink.station(node, port);
                cables.put(to, new NodeCable(at, to, frame -> depart(to, frame)));
            }
        }
        for (int i = 1; i < switchCount; i++) {
            switches.get(i - 1).linkUp(TO_NEXT);
            switches.get(i).linkUp(TO_PREVIOUS);
        }
        Future<?> unused = clock.scheduleWithFixedDelay(
                () -> act(0, () -> switches.forEach(IbSwitch::repeatTrap)),
                TRAP_SECONDS,
                TRAP_SECONDS,
                TimeUnit.SECONDS);
    }

    private static Thread thread(Runnable body) {
        Thread thread = new Thread(body, "testbed-fabric");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public boolean frame(int station, byte[] frame, int length) {
        int type = length < TYPE_OFFSET + 2 ? 0 : ByteBuffer.wrap(frame).getShort(TYPE_OFFSET) & 0xffff;
        NodeCable cable = cables.get(station);
        if (cable == null || (type != NodeCable.PACKET_TYPE && type != NodeCable.HELLO_TYPE)) {
            return false;
        }
        Duration delay = delay(station);
        byte[] kept = delay.isZero() ? frame : Arrays.copyOf(frame, length);
        after(delay, () -> take(station, type, cable, kept, length));
        return true;
    }

    private void take(int station, int type, NodeCable cable, byte[] frame, int length) {
        if (type == NodeCable.HELLO_TYPE) {
            act(station, () -> cable.hello(frame, length));
        } else {
            act(station, () -> cable.packet(frame, length));
        }
    }

    @Override
    public void gone(int station) {
        NodeCable cable = cables.get(station);
        if (cable != null) {
            act(0, cable::gone);
        }
    }

    /** Cuts the cable of a station. */
    public void cut(int station) {
        act(0, cable(station)::cut);
    }

    /** Mends the cable of a station that was cut. */
    public void mend(int station) {
        act(0, cable(station)::mend);
    }

    /** Trains the link of a station again, with a width of one lane or four. */
    public void narrow(int station, boolean oneLane) {
        NodeCable cable = cable(station);
        act(0, () -> {
            cable.end().chassis().port(cable.port()).width(oneLane ? SwitchPort.WIDTH_1X : SwitchPort.WIDTH_4X);
            cable.retrain();
        });
    }

    /** Holds each packet from and to a station back for a time. */
    public void delay(int station, Duration time) {
        NodeCable unused = cable(station);
        delays.put(station, time);
    }

    /** Clears bits of CapabilityMask2 in what subnet administration says of itself; 0 shows all again. */
    public void hideCapabilities(int bits) {
        act(0, () -> hiddenCapabilities = bits);
    }

    private Duration delay(int station) {
        return delays.getOrDefault(station, Duration.ZERO);
    }

    private NodeCable cable(int station) {
        NodeCable cable = cables.get(station);
        if (cable == null) {
            throw new IllegalArgumentException("no station " + station);
        }
        return cable;
    }

    /** Does something to the fabric, and sends the frames that come of it. */
    private void act(int station, Runnable action) {
        List<Departure> ready;
        synchronized (departures) {
            from = station;
            hops = 0;
            action.run();
            for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
                hops = next.hops();
                next.at().receive(next.port(), next.packet());
            }
            ready = List.copyOf(departures);
            departures.clear();
        }
        ready.forEach(departure -> after(delay(departure.to()), departure.sending()));
    }

    private void depart(int to, byte[] frame) {
        int sending = from;
        departures.add(new Departure(to, () -> sender.send(sending, to, frame)));
    }

    private void after(Duration delay, Runnable action) {
        if (delay.isZero()) {
            action.run();
            return;
        }
        try {
            Future<?> unused = clock.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The fabric has been closed.
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** The cables at the ports of the switches. */
    private final class Ends implements IbSwitch.Cables {
        @Override
        public void send(IbSwitch at, int port, IbPacket packet) {
            if (cables.containsKey(port)) {
                packet.hideCapabilities(hiddenCapabilities);
                int sender = from;
                from = packet.isMade() ? 0 : sender;
                cable(port).send(packet);
                from = sender;
            } else if (hops < MOST_HOPS) {
                boolean next = port == TO_NEXT;
                IbSwitch other = switches.get(at.chassis().number() - 1 + (next ? 1 : -1));
                arrivals.add(new Arrival(other, next ? TO_PREVIOUS : TO_NEXT, packet, hops + 1));
            }
        }

        @Override
        public void fulfil(IbSwitch owner, int port, SwitchPort.Wish wish) {
            NodeCable cable = cables.get(port);
            if (cable == null || cable.end() != owner) {
                trunk(owner, port, wish);
                return;
            }
            switch (wish) {
                case RETRAIN -> cable.retrain();
                case DISABLE -> cable.close();
                case ENABLE -> cable.open();
                default -> throw new AssertionError(wish);
            }
        }

        private void trunk(IbSwitch owner, int port, SwitchPort.Wish wish) {
            boolean next = port == TO_NEXT;
            int index = owner.chassis().number() - 1 + (next ? 1 : -1);
            if ((port != TO_PREVIOUS && port != TO_NEXT) || index < 0 || index >= switches.size()) {
                return;
            }
            IbSwitch other = switches.get(index);
            int otherPort = next ? TO_PREVIOUS : TO_NEXT;
            owner.linkDown(port);
            other.linkDown(otherPort);
            if (wish != SwitchPort.Wish.DISABLE
                    && !other.chassis().port(otherPort).isDisabled()) {
                owner.linkUp(port);
                other.linkUp(otherPort);
            }
        }
    }
}
