// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.cli.perf.PerfResult.BandwidthFigures;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The measurements, and the messages around them, in the order of each perftest program. */
final class PerfSession implements AutoCloseable {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The time limit for the peer's answer to a disconnect; the results are complete by then. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /** Extra time for the peer's clock to end the run as well. */
    private static final Duration STAY = Duration.ofSeconds(1);

    private final PerfOptions options;
    private final PerfRun.Observer observer;
    final Handshake handshake;
    final TestBed bed;
    private final List<CmConnection> connections = new ArrayList<>();

    /** Greets the peer over its first connection. */
    PerfSession(PerfOptions options, PerfRun.Observer observer, CmConnection first)
            throws RdmaException, InterruptedException {
        this.options = options;
        this.observer = observer;
        requireDevice(first.id());
        handshake = (Handshake) Objects.requireNonNull(first.id().attachment());
        int port = first.id().portNumber();
        requireGid(first.id());
        int mtu =
                handshake.greet(options.mtu(first.id().context().queryPort(port).activeMtu()));
        options.fit(mtu);
        bed = new TestBed(first.id(), options, spread(options));
        if (options.isDatagram()) {
            // datagram queue pairs have no connections that could end
            first.onEvent(bed::take);
        }
    }

    private void requireDevice(CmId id) throws RdmaException {
        String wanted = options.device;
        String found = id.context().device().name();
        if (wanted != null && !wanted.equals(found)) {
            throw new RdmaException("the addresses lead to the device " + found + ", and -d asks for " + wanted
                    + ": name an address of " + wanted + " by --source_ip, or leave -d out");
        }
    }

    /** The connection manager has chosen the GID by the addresses: another one takes another address. */
    private void requireGid(CmId id) throws RdmaException {
        Integer index = options.gidIndex;
        Gid chosen = id.sourceGid().orElse(null);
        if (index == null || chosen == null) {
            return;
        }
        List<GidEntry> gids = id.context().queryGids().stream()
                .filter(entry -> entry.portNum() == id.portNumber())
                .toList();
        if (gids.stream()
                .noneMatch(entry -> entry.gidIndex() == index && entry.gid().equals(chosen))) {
            String table = gids.stream()
                    .map(entry -> entry.gidIndex() + " is " + entry.gid())
                    .collect(Collectors.joining(", "));
            throw new RdmaException("the addresses lead to the GID " + chosen + ", not to that of --gid-index " + index
                    + " (" + table + "): choose the GID by the addresses, such as --source_ip");
        }
    }

    private TestBed.Spread spread(PerfOptions each) {
        return TestBed.Spread.of(each, handshake.page, handshake.cacheLine);
    }

    void add(CmConnection connection) {
        connections.add(bed.own(connection));
        bed.add(connection.id(), connection.qp());
    }

    /** Measures all sizes, once all queue pairs exist. */
    List<PerfResult> measure() throws RdmaException, InterruptedException {
        introduce();
        if (isBystander()) {
            return end(List.of(run(options)));
        }
        List<PerfResult> results = new ArrayList<>();
        for (int size : options.sizes()) {
            PerfResult result = exchanged(run(options.ofSize(size)));
            results.add(result);
            observer.measured(result);
            if (isSend() && !options.program().isLatency() && options.allSizes) {
                handshake.meet(mine(), options.longest());
            }
        }
        return end(results);
    }

    private PeerEntry mine() {
        return bed.link().entry();
    }

    private boolean isSend() {
        return options.program().verb() == PerfProgram.Verb.SEND;
    }

    /** True for the server of a program whose client does all the work. */
    private boolean isBystander() {
        return !options.isClient() && !options.bidirectional && !isSend() && options.program() != PerfProgram.WRITE_LAT;
    }

    /**
     * Sends the queue pairs to the peer twice, and synchronizes once more before, between, or after, as perftest does.
     */
    private void introduce() throws RdmaException, InterruptedException {
        handshake.meet(PeerEntry.NONE);
        if (options.program().isLatency() && !isSend()) {
            handshake.meet(mine());
        }
        for (TestLink link : bed.links) {
            link.peer = handshake.meet(link.entry());
        }
        if (isSend()) {
            handshake.meet(mine());
        }
        for (TestLink link : bed.links) {
            handshake.meet(link.entry());
        }
        if (!isSend()) {
            handshake.meet(mine());
        }
        for (TestLink link : bed.links) {
            observer.measuring(link.entry(), link.peer);
        }
    }

    private PerfResult run(PerfOptions each) throws RdmaException, InterruptedException {
        bed.begin(each, spread(each));
        Measurement measurement = Measurement.of(bed);
        if (isSend() || options.bidirectional) {
            handshake.meet(mine());
        }
        long before = THREADS.getCurrentThreadAllocatedBytes();
        measurement.run();
        return measurement.result(THREADS.getCurrentThreadAllocatedBytes() - before);
    }

    /** Combines the figures of both sides if messages go in both directions. */
    private PerfResult exchanged(PerfResult result) throws RdmaException, InterruptedException {
        if (!options.bidirectional || (isSend() && options.isTimed())) {
            return result;
        }
        if (!isSend() && options.allSizes) {
            handshake.meet(mine(), options.longest());
        }
        BandwidthFigures own = result.bandwidth().orElseThrow();
        return result.with(own.plus(handshake.report(own)));
    }

    private List<PerfResult> end(List<PerfResult> results) throws RdmaException, InterruptedException {
        PerfProgram program = options.program();
        if (program == PerfProgram.WRITE_LAT) {
            return results;
        }
        handshake.meet(mine(), options.longest());
        if (isSend() || program.isLatency() || options.bidirectional) {
            return results;
        }
        PerfResult last = results.get(results.size() - 1);
        BandwidthFigures theirs = handshake.report(last.bandwidth().orElse(BandwidthFigures.NONE));
        handshake.meet(mine());
        if (options.isClient()) {
            return results;
        }
        PerfResult told = new PerfResult(
                program,
                (int) theirs.size(),
                theirs.iterations(),
                Optional.empty(),
                Optional.of(theirs),
                last.allocatedBytes());
        observer.measured(told);
        return List.of(told);
    }

    /**
     * Ends the connections before their memory is closed; a peer that has left need not answer. A side of {@code
     * write_lat} whose time is over stays until the peer has left, the server longer than the client: perftest waits
     * without a limit for the acknowledgement of its last write.
     */
    void farewell(CmEventLoop loop) throws RdmaException, InterruptedException {
        boolean stays = options.program() == PerfProgram.WRITE_LAT && options.isTimed();
        boolean gone = stays && bed.awaitEnd(options.isClient() ? STAY : FAREWELL);
        Duration limit = gone ? STAY : FAREWELL;
        for (CmConnection connection : connections) {
            try {
                loop.await(connection.disconnect(), limit);
            } catch (CmTimeoutException e) {
                // the result stands; closing does the rest
            }
        }
    }

    @Override
    public void close() throws RdmaException {
        bed.close();
    }
}
