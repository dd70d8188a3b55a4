// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.behaviour.Behaviour.Experiment;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.Fence;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One run of an experiment: the descriptors it has opened, and what it has seen so far. Closing closes all. For one
 * thread.
 */
public final class Trial implements AutoCloseable {
    /** Far longer than any operation that does not wait for a timer. */
    static final Duration LIMIT = RawCm.LIMIT;

    /** In the text of an experiment that failed. */
    public static final String STOPPED = "STOPPED: ";

    private static final AtomicLong UIDS = new AtomicLong(100);

    final RawCm client;
    final RawCm server;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final StringJoiner seen = new StringJoiner("; ");

    Trial() throws RdmaException {
        client = open();
        server = open();
    }

    /**
     * Runs the experiment of a behaviour and returns its observations. The text of a failed experiment says where it
     * stopped.
     */
    public static String observe(Behaviour behaviour) {
        StringBuilder text = new StringBuilder();
        try (Trial trial = new Trial()) {
            trial.run(Objects.requireNonNull(behaviour.experiment()), text);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            text.append("; ").append(STOPPED).append("interrupted");
        } catch (Exception | AssertionError e) {
            text.append("; ").append(STOPPED).append(oneLine(e));
        }
        return text.toString();
    }

    private void run(Experiment experiment, StringBuilder text) throws Exception {
        try {
            experiment.run(this);
        } finally {
            text.append(seen);
        }
    }

    private static String oneLine(Throwable e) {
        return String.valueOf(e.getMessage() == null ? e : e.getMessage()).replaceAll("\\s+", " ");
    }

    RawCm open() throws RdmaException {
        return closeLater(RawCm.open());
    }

    <T extends AutoCloseable> T closeLater(T resource) {
        opened.push(resource);
        return resource;
    }

    // ---- what was seen

    void see(String what) {
        seen.add(what);
    }

    /** {@code bind OK}, {@code bind EINVAL}. */
    void see(String what, Object value) {
        seen.add(what + " " + value);
    }

    void see(String who, RawEvent event) {
        seen.add(who + " " + event.text());
    }

    // ---- events

    /** The next event of a descriptor, which comes soon. */
    RawEvent event(RawCm cm) throws RdmaException, InterruptedException {
        return event(cm, LIMIT);
    }

    RawEvent event(RawCm cm, Duration limit) throws RdmaException, InterruptedException {
        return cm.awaitEvent(limit).orElseThrow(() -> new AssertionError("no event within " + limit));
    }

    RawEvent event(RawId id) throws RdmaException, InterruptedException {
        return event(id.cm());
    }

    /** The next event, which must be of this kind. */
    RawEvent expect(RawId id, String name) throws RdmaException, InterruptedException {
        RawEvent event = event(id.cm());
        if (!event.name().equals(name)) {
            throw new AssertionError(event + " instead of " + name);
        }
        return event;
    }

    /** Reports all events of a descriptor that come before the events of a fence, or {@code no event}. */
    void seeRest(String who, RawCm cm) throws RdmaException, InterruptedException {
        seen.add(who + " " + names(eventsBeforeFence(cm)));
    }

    /** Reports the event that comes of a change of a neighbour, of which ids on InfiniBand hear nothing. */
    void seeNeighbourChange(String prefix, RawCm cm) throws RdmaException, InterruptedException {
        seen.add(prefix
                + (Adapter.IS_INFINIBAND
                        ? names(eventsBeforeFence(cm))
                        : event(cm).text()));
    }

    static String names(List<RawEvent> events) {
        return events.isEmpty()
                ? "no event"
                : events.stream().map(RawEvent::text).collect(Collectors.joining(", "));
    }

    // ---- ids

    long newUid() {
        return UIDS.incrementAndGet();
    }

    /** The events of a descriptor that come before the events of a fence. */
    List<RawEvent> eventsBeforeFence(RawCm cm) throws RdmaException, InterruptedException {
        return Fence.eventsBefore(cm, newUid());
    }

    RawId id(RawCm cm, PortSpace space) {
        return RawId.create(cm, newUid(), space);
    }

    RawId tcp() {
        return tcp(client);
    }

    RawId tcp(RawCm cm) {
        return id(cm, PortSpace.TCP);
    }

    RawId udp() {
        return udp(client);
    }

    RawId udp(RawCm cm) {
        return id(cm, PortSpace.UDP);
    }

    RawId bound(RawId id, InetSocketAddress address) {
        id.bind(address).orFail("BIND " + address);
        return id;
    }

    /** A listener on a new address, on the server's descriptor. */
    RawId listener() {
        return listener(tcp(server), Net.fresh(), 16);
    }

    RawId listener(RawId id, InetSocketAddress address, int backlog) {
        bound(id, address).listen(backlog).orFail("LISTEN");
        return id;
    }

    /** An id of the client whose ADDR_RESOLVED is in the queue. */
    RawId resolvedQueued() throws RdmaException, InterruptedException {
        RawId id = tcp();
        id.resolveAddr(Net.fresh()).orFail("RESOLVE_ADDR");
        KernelFd.of(client).awaitReadable(Deadline.after(LIMIT));
        return id;
    }

    RawId resolved(RawId id, InetSocketAddress to) throws RdmaException, InterruptedException {
        id.resolveAddr(to).orFail("RESOLVE_ADDR");
        expect(id, "ADDR_RESOLVED");
        return id;
    }

    RawId routed(RawId id, InetSocketAddress to) throws RdmaException, InterruptedException {
        resolved(id, to);
        if (Adapter.IS_INFINIBAND && Net.isDeaf(to)) {
            // The subnet manager knows no path to an address that nobody has.
            id.setOption(1, 1, Fence.toNobody(path())).orFail("SET_OPTION IB_PATH");
        } else {
            id.resolveRoute().orFail("RESOLVE_ROUTE");
        }
        expect(id, "ROUTE_RESOLVED");
        return id;
    }

    /** A path that leads from the device to itself. */
    byte[] path() throws RdmaException, InterruptedException {
        try (Fence fence = new Fence()) {
            return fence.path();
        }
    }

    /** An id of the client with a route to where {@code listener} listens. */
    RawId routedTo(RawId listener) throws RdmaException, InterruptedException {
        return routed(tcp(), listener.local());
    }

    /** An id of the client that connects to where {@code listener} listens. */
    RawId connecting(RawId listener) throws RdmaException, InterruptedException {
        return connecting(tcp(), listener.local());
    }

    /** The event of a join that must succeed. */
    RawEvent joined(RawId id, SocketAddress group) throws RdmaException, InterruptedException {
        id.join(group, newUid(), 0).orFail("JOIN_MCAST");
        return expect(id, "MULTICAST_JOIN");
    }

    /** The id, which has a route and has sent its request. */
    RawId connecting(RawId id, InetSocketAddress to) throws RdmaException, InterruptedException {
        routed(id, to).connect(param()).orFail("CONNECT");
        return id;
    }

    /** The id of the next request on a listener's descriptor, with an uid for ACCEPT. */
    RawId request(RawId listener) throws RdmaException, InterruptedException {
        return child(expect(listener, "CONNECT_REQUEST"), listener.cm());
    }

    RawId child(RawEvent request, RawCm cm) {
        return new RawId(cm, request.id(), newUid());
    }

    /**
     * The answers to every command that takes a handle: {@code EINVAL to BIND, LISTEN; OK to DESTROY}. DESTROY is the
     * last.
     */
    static String everyCommand(RawId id) {
        Map<String, List<String>> byAnswer = new LinkedHashMap<>();
        commands(id)
                .forEach((name, command) -> byAnswer.computeIfAbsent(
                                command.get().text(), answer -> new ArrayList<>())
                        .add(name));
        if (byAnswer.size() == 1) {
            return byAnswer.keySet().iterator().next() + " to every command";
        }
        return byAnswer.entrySet().stream()
                .map(entry -> entry.getKey() + " to " + String.join(", ", entry.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static Map<String, Supplier<Answer>> commands(RawId id) {
        Map<String, Supplier<Answer>> all = new LinkedHashMap<>();
        all.put("BIND", () -> id.bind(Net.fresh()));
        all.put("RESOLVE_ADDR", () -> id.resolveAddr(null, Net.fresh(), Duration.ofSeconds(1)));
        all.put("RESOLVE_ROUTE", id::resolveRoute);
        all.put("QUERY", id::queryAddr);
        all.put("CONNECT", () -> id.connect(param()));
        all.put("LISTEN", () -> id.listen(1));
        all.put("ACCEPT", () -> id.accept(param()));
        all.put("REJECT", id::reject);
        all.put("DISCONNECT", id::disconnect);
        all.put("INIT_QP_ATTR", () -> id.initQpAttr(RawId.INIT));
        all.put("SET_OPTION", () -> id.setByte(0, 0));
        all.put("NOTIFY", () -> id.notify(4));
        all.put("JOIN_MCAST", () -> id.join(Net.address("239.9.9.9", 0), 1, 0));
        all.put("DESTROY", id::destroy);
        return all;
    }

    // ---- parameters

    /** Parameters with a new queue pair number and this private data. */
    static ConnParam param(byte... data) {
        return RawCm.parameters(data);
    }

    /** Parameters with a new queue pair number and these depths and retries. */
    static ConnParam param(int depth, int retries) {
        return new ConnParam(RawCm.newQpNumber(), 0, new byte[0], false, depth, depth, 0, retries, retries);
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    /** Whether {@code received} is {@code sent} and zeros after it. */
    static boolean isPadded(byte[] received, byte[] sent) {
        return Arrays.equals(received, Arrays.copyOf(sent, received.length));
    }

    // ---- time

    /** Whether about this many seconds have passed since {@code start}, as words. */
    static String about(int seconds, long start) {
        double passed = (System.nanoTime() - start) / 1e9;
        boolean near = passed > seconds * 0.94 && passed < seconds * 1.12 + 1;
        return "after " + (near ? "about " + seconds : String.valueOf(Math.round(passed))) + " s";
    }

    /** Closes all, the last opened first, and fails afterwards if any could not be closed. */
    @Override
    public void close() {
        AssertionError failure = new AssertionError("what the trial opened could not be closed");
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure.addSuppressed(e);
            } catch (Exception | AssertionError e) {
                failure.addSuppressed(e);
            }
        }
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
