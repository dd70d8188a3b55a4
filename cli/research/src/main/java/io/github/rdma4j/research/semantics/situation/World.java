// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.research.semantics.situation.Cell.End;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The cells of one situation: an id for each command. All ids are driven there side by side, on separate
 * descriptors. Requests name their cell in the private data; other events are assigned by their uid.
 */
final class World implements AutoCloseable {
    /** The ends of a cell. */
    static final Function<Cell, End> ACTIVE = cell -> cell.active;

    static final Function<Cell, End> PASSIVE = cell -> cell.passive;

    static final Duration LIMIT = RawCm.LIMIT;
    static final int BACKLOG = 256;

    private static final long LISTENER_UID = 1;
    private static final int UIDS_PER_CELL = 16;

    final RawCm active = RawCm.open();
    final RawCm passive = RawCm.open();

    /** Where ids migrate to. */
    final RawCm third = RawCm.open();

    private final PortSpace portSpace;

    /** Where the listener of all cells is. */
    final InetSocketAddress listenerAddress;

    final List<Cell> cells = new ArrayList<>();

    /** Commands that need a path take this one: the reply of QUERY PATH for one that leads to the device itself. */
    final byte[] path;

    World(Situation situation, List<Command> commands, byte[] path) throws RdmaException {
        portSpace = situation.portSpace();
        this.path = path;
        listenerAddress = new InetSocketAddress(situation.host(), Adapter.newPort());
        RawId listener = RawId.create(passive, LISTENER_UID, portSpace);
        if (portSpace == PortSpace.TCP || portSpace == PortSpace.UDP) {
            listener.bind(listenerAddress).orFail("BIND");
            listener.listen(BACKLOG).orFail("LISTEN");
        }
        for (Command command : commands) {
            long uid = (long) UIDS_PER_CELL * (cells.size() + 1);
            cells.add(new Cell(
                    command,
                    new End(active, uid, uid + 2),
                    new End(passive, uid + 1, uid + 3),
                    !situation.has(Situation.Trait.PASSIVE)));
        }
    }

    boolean isDatagram() {
        return portSpace.queuePairType() == QueuePairType.UD;
    }

    /** Parameters for CONNECT and ACCEPT whose private data say which cell they are of. */
    ConnParam parameters(End end) {
        byte[] cell = ByteBuffer.allocate(Integer.BYTES).putInt(index(end.uid)).array();
        return RawCm.parameters(cell);
    }

    private static int index(long uid) {
        return (int) (uid / UIDS_PER_CELL) - 1;
    }

    /** Does the same with one end of each cell, which must succeed. */
    World on(Function<Cell, End> which, String what, Function<End, Answer> action) {
        for (Cell cell : cells) {
            action.apply(which.apply(cell)).orFail(what);
        }
        return this;
    }

    /** Gives the same command to one end of each cell. */
    World each(Function<Cell, End> which, String what, Function<RawId, Answer> command) {
        return on(which, what, end -> command.apply(end.id));
    }

    /** Makes an id for each cell, with the uid 0 if {@code anonymous}. */
    World create(Function<Cell, End> which, boolean anonymous) {
        for (Cell cell : cells) {
            End end = which.apply(cell);
            RawId made = RawId.create(end.id.cm(), anonymous ? 0 : end.uid, portSpace);
            end.id = new RawId(made.cm(), made.handle(), end.uid);
        }
        return this;
    }

    /** Waits until that end of each cell has had an event of that type. */
    World await(Function<Cell, End> which, CmEventType type) throws RdmaException, InterruptedException {
        return await(LIMIT, "event " + type, cell -> which.apply(cell).has(type));
    }

    /** The same for an event that takes the kernel more than a minute. */
    World awaitPatiently(Function<Cell, End> which, CmEventType type) throws RdmaException, InterruptedException {
        return await(
                LIMIT.multipliedBy(6),
                "event " + type,
                cell -> which.apply(cell).has(type));
    }

    /** Waits for the ends of joins: a busy subnet manager may answer a later question first. Fetches whatever is queued. */
    void awaitJoins() throws RdmaException, InterruptedException {
        await(LIMIT, "end of the join", Cell::hasJoined);
    }

    private World await(Duration limit, String what, Predicate<Cell> condition)
            throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        drain();
        while (!cells.stream().allMatch(condition)) {
            if (System.nanoTime() - start > limit.toNanos()) {
                Cell missing =
                        cells.stream().filter(condition.negate()).findFirst().orElseThrow();
                throw new AssertionError("no " + what + " for the cell of " + missing.command + "; active "
                        + missing.active.events + ", passive " + missing.passive.events);
            }
            ReadinessSet.awaitAny(LIMIT, active, passive, third);
            drain();
        }
        return this;
    }

    /** Fetches whatever is queued. */
    void drain() {
        for (RawCm cm : List.of(active, passive, third)) {
            cm.events().forEach(this::deliver);
        }
    }

    private void deliver(RawEvent event) {
        if (event.uid() == LISTENER_UID && event.is(CmEventType.CONNECT_REQUEST)) {
            byte[] data = isDatagram() ? event.ud().privateData() : event.conn().privateData();
            End child = cells.get(ByteBuffer.wrap(data).getInt()).passive;
            child.id = new RawId(passive, event.id(), child.uid);
            child.events.add(event);
        } else if (event.uid() != LISTENER_UID) {
            Cell cell = cells.get(index(event.uid()));
            End end = event.uid() % 2 == 0 ? cell.active : cell.passive;
            end.events.add(event);
        }
    }

    /** Gives each cell its command. */
    void issue() {
        for (Cell cell : cells) {
            cell.issue(this);
        }
    }

    @Override
    public void close() {
        active.close();
        passive.close();
        third.close();
    }
}
