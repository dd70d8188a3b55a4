// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.Gid;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection that is measured, and its memory: the first half is what this side sends from and reads into, the second half
 * is what the peer sends to, writes or reads.
 */
final class TestLink {
    /** Receives that are posted at a time, as in perftest. */
    static final int RECEIVE_DEPTH = 512;

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int ALIGNMENT = 4096;

    private final CmConnection connection;
    private final PerfOptions options;
    private final Spread spread;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final ByteBuffer[] inlined;
    private final Duration patience;
    private final Completions sends;
    private final Completions receives;
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
    private int posted;

    /** The event that ended the connection; written by the event loop, read by the thread that measures. */
    private volatile @Nullable CmEvent end;

    /** Prepares a connection: its memory is registered and its receives are posted before the peer hears of it. */
    TestLink(CmConnection connection, PerfOptions options, Spread spread) throws RdmaException {
        this.connection = connection;
        this.options = options;
        this.spread = spread;
        patience = options.limit() == null ? PATIENCE : options.limit();
        connection.onEvent(this::take);
        memory = ByteBuffer.allocateDirect(2 * spread.half() + 2 * ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .limit(2 * spread.half());
        inlined = options.inlined() > 0 ? places() : new ByteBuffer[0];
        region = connection.own(connection.id().pd().registerMr(memory, rights(options.program())));
        sends = new Completions(this, connection.sendCq().orElseThrow());
        receives = new Completions(this, connection.receiveCq().orElseThrow());
        while (posted < Math.min(receiveDepth(options), options.iterations())) {
            postReceive();
        }
    }

    private ByteBuffer[] places() {
        ByteBuffer[] places = new ByteBuffer[spread.places()];
        Arrays.setAll(places, place -> memory.slice(spread.offset(place), options.size()));
        return places;
    }

    private static Set<Access> rights(PerfProgram program) {
        return switch (program.verb()) {
            case SEND -> EnumSet.of(Access.LOCAL_WRITE);
            case WRITE -> EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            case READ -> EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
            case ATOMIC -> EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
        };
    }

    private static int receiveDepth(PerfOptions options) {
        return options.program().verb() == PerfProgram.Verb.SEND ? RECEIVE_DEPTH : 0;
    }

    /** The queue pair that the options need. */
    static QueuePairOptions queuePair(PerfOptions options) {
        return QueuePairOptions.builder()
                .maxSendWr(options.depth())
                .maxReceiveWr(Math.max(1, receiveDepth(options)))
                .maxInline(options.inlined())
                .build();
    }

    private void take(CmEvent event) {
        boolean removal = event.type() == CmEventType.DEVICE_REMOVAL;
        if (removal || (event.type() == CmEventType.DISCONNECTED && end == null)) {
            end = event;
        }
    }

    /** Throws when nothing can come any more, or nothing has come since {@code startNanos} for too long. */
    void requireHope(long startNanos) throws RdmaException, InterruptedException {
        requireConnected();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (System.nanoTime() - startNanos > patience.toNanos()) {
            throw PeerTrouble.silent(Completions.DURING, patience.toSeconds() + " s");
        }
    }

    private void requireConnected() throws RdmaException {
        requireDevice();
        if (end != null) {
            throw PeerTrouble.ended(Completions.DURING);
        }
    }

    /** Throws when the device is being removed. */
    void requireDevice() throws RdmaException {
        CmEvent event = end;
        if (event != null && event.type() == CmEventType.DEVICE_REMOVAL) {
            throw event.toException();
        }
    }

    boolean isDisconnected() {
        CmEvent event = end;
        return event != null && event.type() == CmEventType.DISCONNECTED;
    }

    /** Posts one receive more, unless there are as many as messages will come. */
    void postReceive() throws RdmaException {
        if (posted < options.iterations()) {
            receive.clear().add(region, spread.half() + spread.offset(posted), options.size());
            connection.qp().postReceive(receive);
            posted++;
        }
    }

    /** Makes a request message {@code number} of the test, without flags; allocates nothing. */
    SendWorkRequest fill(SendWorkRequest request, PeerEntry peer, int number) {
        int offset = spread.offset(number);
        aim(request.clear(), peer, offset);
        return inlined.length > 0
                ? request.inline(inlined[number % inlined.length])
                : request.add(region, offset, options.size());
    }

    private void aim(SendWorkRequest request, PeerEntry peer, int offset) {
        long address = peer.address() + offset;
        switch (options.program().verb()) {
            case SEND -> request.send();
            case WRITE -> request.rdmaWrite(address, peer.rkey());
            case READ -> request.rdmaRead(address, peer.rkey());
            case ATOMIC -> request.fetchAndAdd(address, peer.rkey(), 1);
        }
    }

    /** What the peer is told. */
    PeerEntry entry() {
        long address = region.iova() + spread.half();
        Gid gid = connection.id().sourceGid().orElse(PeerEntry.NONE.gid());
        return new PeerEntry(1, connection.qp().qpn(), region.rkey(), address, gid);
    }

    PerfOptions options() {
        return options;
    }

    Spread spread() {
        return spread;
    }

    CmConnection connection() {
        return connection;
    }

    QueuePair qp() {
        return connection.qp();
    }

    Completions sends() {
        return sends;
    }

    Completions receives() {
        return receives;
    }

    ByteBuffer memory() {
        return memory;
    }
}
