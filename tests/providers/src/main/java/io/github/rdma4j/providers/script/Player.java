// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import io.github.rdma4j.providers.script.PlayedQueues.Completions;
import io.github.rdma4j.providers.script.PlayedQueues.Pair;
import io.github.rdma4j.providers.script.PlayedQueues.Shared;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays a script of verbs on the provider of a driver in Java and writes down what a device would see, line for line as player.c does
 * on the driver's library.
 */
public final class Player {
    private final Consumer<String> out;
    private final PlayedDriver driver;
    private final DriverContext context;
    private final Created.Pd domain;

    /** In the order in which they were made. */
    private final Map<String, Object> objects = new LinkedHashMap<>();

    private final List<PlayedRequest> chain = new ArrayList<>();
    private QueueNumbers numbers = QueueNumbers.small();

    /** Opens the device; {@code out} takes the lines. */
    public Player(Mode mode, Consumer<String> out) throws RdmaException {
        this.out = out;
        this.driver = mode.open();
        Creation<ByteBuffer, DriverContext> creation = driver.provider().context(driver.device());
        byte[] request = CapturedRequest.of(creation).bytes();
        out.accept("context " + PlayedQueues.hex(driver.contextRequest(request)));
        this.context = creation.finish(driver.contextReply());
        ByteBuffer reply = reply(context.protectionDomain().replyBytes());
        driver.answerPd(reply);
        this.domain = new Created.Pd(1, reply);
    }

    /** Plays a line: writes the line, and what came of it. */
    public void play(String line) throws RdmaException {
        out.accept(line);
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "#", "quiet" -> {}
            case "numbers" -> {
                numbers = QueueNumbers.of(words);
                driver.firstPacket(number(words[5]));
            }
            case "cq" -> makeCq(words);
            case "qp" -> makeQp(words);
            case "srq" -> makeSrq(words);
            case "xsrq" -> makeXsrq(words);
            case "ah" -> makeAh(words);
            case "chain" -> chain.add(request(words));
            case "send" -> {
                chain.add(request(words));
                send(pair(words[1]));
            }
            case "recv" -> receive(words);
            case "reset" -> reset(pair(words[1]));
            case "failed" -> pair(words[1]).rings().failedByDevice();
            case "err" -> fail(pair(words[1]));
            case "destroy" -> destroy(words[1]);
            default -> playDevice(words);
        }
    }

    private void playDevice(String[] words) throws RdmaException {
        switch (words[0]) {
            case "take" -> out.accept("  entry " + find(Shared.class, words[1]).take());
            case "cqe" -> cq(words[1]).complete(pair(words[2]), words);
            case "xcqe" -> cq(words[1]).complete(find(Shared.class, words[2]), words);
            case "poll" -> poll(cq(words[1]), Integer.parseInt(words[2]));
            case "resize" -> resize(cq(words[1]), number(words[2]));
            case "arm" -> arm(cq(words[1]), words[2].equals("solicited"));
            case "event" -> takeEvent(cq(words[1]));
            case "async" -> PlayedEvents.take(pair(words[1]), number(words[2]));
            case "race" -> race(pair(words[1]), cq(words[2]));
            default -> throw new IllegalArgumentException("no such line: " + words[0]);
        }
    }

    private void arm(Completions cq, boolean solicitedOnly) throws RdmaException {
        cq.ring().arm(solicitedOnly);
        out.accept(cq.recordText());
        driver.device().takeStores().forEach(out);
    }

    private void takeEvent(Completions cq) {
        cq.ring().eventTaken();
        driver.device().takeStores().forEach(out);
    }

    private void resize(Completions cq, int entries) throws RdmaException {
        int asked = context.entriesToRequest(entries);
        Creation<Created.Cq, CompletionRing> creation;
        try {
            creation = cq.ring().resize(asked);
        } catch (ErrnoException refused) {
            out.accept("  refused");
            return;
        }
        cq.resize(CapturedRequest.of(creation), asked);
        creation.finish(new Created.Cq(1, asked, reply(creation.replyBytes())));
        out.accept("  granted " + cq.ring().capacity());
        out.accept(cq.recordText());
        driver.device().takeStores().forEach(out);
    }

    private void reset(Pair pair) {
        pair.forget();
        pair.rings().reset();
        out.accept(pair.recordText());
        printRecordsOfCqs();
        driver.connect(pair.rings(), pair.number());
    }

    /** The queue pair is reset while somebody polls, which nobody sees. */
    private void race(Pair pair, Completions polled) {
        PlayedEvents.forgetWhilePolled(pair, polled, out, this);
        pair.rings().reset();
        driver.device().takeStores();
        driver.connect(pair.rings(), pair.number());
    }

    /** The device flushes what the queues hold; the lines {@code cqe} say when. */
    private void fail(Pair pair) {
        pair.rings().fail();
    }

    private void destroy(String name) {
        pair(name).forget();
        pair(name).rings().retire(true);
        objects.remove(name);
        printRecordsOfCqs();
    }

    /** Whether the send queue of a queue pair takes {@code more} work requests. */
    boolean hasRoom(String pair, int more) {
        SendRing ring = pair(pair).rings().send();
        return more <= ring.capacity() && !ring.isFull(ring.capacity() - more + 1);
    }

    /** The device writes an entry of any bytes. */
    public void write(String cq, ByteBuffer entry) {
        cq(cq).write(entry);
    }

    /** A work request of the chain is put into the ring, and taken back. */
    public void discard() {
        PlayedRequest request = chain.remove(0);
        SendRing ring = pair(request.queue()).rings().send();
        ring.put(request);
        ring.discard();
    }

    private <T> T find(Class<T> type, String name) {
        return PlayedQueues.cast(type, objects.get(name), name);
    }

    private Completions cq(String name) {
        return find(Completions.class, name);
    }

    private Pair pair(String name) {
        return find(Pair.class, name);
    }

    private static ByteBuffer reply(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    private void printRequest(CapturedRequest request) {
        out.accept("  request " + PlayedQueues.hex(request.bytes()));
    }

    private void printRecordsOfCqs() {
        objects.forEach((name, object) -> {
            if (object instanceof Completions cq) {
                out.accept("  " + name + cq.recordText());
            }
        });
    }

    private void makeCq(String[] words) throws RdmaException {
        int asked = context.entriesToRequest(Integer.parseInt(words[2]));
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(asked);
        CapturedRequest request = CapturedRequest.of(creation);
        ByteBuffer reply = reply(creation.replyBytes());
        int number = numbers.nextCqn();
        driver.answerCq(reply, number, asked);
        Completions cq = driver.completions(creation.finish(new Created.Cq(1, asked, reply)), request, number);
        objects.put(words[1], cq);
        out.accept("  granted " + cq.ring().capacity());
        printRequest(request);
        out.accept(cq.recordText());
        out.accept(cq.firstEntry());
    }

    private void makeQp(String[] words) throws RdmaException {
        QueuePairType type = words[2].equals("xrc")
                ? QueuePairType.XRC_INI
                : QueuePairType.valueOf(words[2].toUpperCase(Locale.ROOT));
        List<Completions> completions =
                words[4].equals("-") ? List.of(cq(words[3])) : List.of(cq(words[3]), cq(words[4]));
        SharedReceiveRing shared =
                words[5].equals("-") ? null : find(Shared.class, words[5]).ring();
        QpCap cap = context.capacitiesToRequest(
                new QpCap(number(words[6]), number(words[7]), number(words[8]), number(words[9]), number(words[10])));
        Creation<Created.Qp, QueueRings> creation = context.queuePair(new QueuePairRequest(
                type,
                cap,
                words[11].equals("1"),
                completions.get(0).ring(),
                type.isXrc() ? null : completions.get(1).ring(),
                shared));
        CapturedRequest request = CapturedRequest.of(creation);
        ByteBuffer reply = reply(creation.replyBytes());
        int number = numbers.nextQpn();
        driver.answerQp(reply, number, cap);
        QueueRings rings = creation.finish(new Created.Qp(1, number, cap, reply));
        rings.modify(QpAttr.builder().portNum(1).build());
        driver.connect(rings, number);
        Pair pair = driver.pair(new PairParts(rings, number, type, cap, completions), request);
        objects.put(words[1], pair);
        out.accept("  granted " + pair.grantedText());
        printRequest(request);
        out.accept(pair.recordText());
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private void makeSrq(String[] words) throws RdmaException {
        int maxWr = number(words[2]);
        int maxSge = number(words[3]);
        Shared srq = makeShared(words[1], maxWr, maxSge, context.sharedReceiveQueue(maxWr, maxSge));
        printRequest(srq.request());
        out.accept(srq.recordText());
    }

    private void makeXsrq(String[] words) throws RdmaException {
        int maxWr = number(words[3]);
        int maxSge = number(words[4]);
        CompletionRing cq = cq(words[2]).ring();
        Shared srq = makeShared(words[1], maxWr, maxSge, context.xrcReceiveQueue(maxWr, maxSge, cq));
        out.accept("  number " + Integer.toHexString(srq.number()));
        printRequest(srq.request());
        out.accept(srq.recordText());
    }

    private Shared makeShared(String name, int maxWr, int maxSge, Creation<Created.Srq, SharedReceiveRing> creation)
            throws RdmaException {
        CapturedRequest request = CapturedRequest.of(creation);
        int granted = driver.grantedReceives(context.receivesToRequest(maxWr));
        int srqn = numbers.nextSrqn();
        ByteBuffer reply = reply(creation.replyBytes());
        driver.answerSrq(reply, srqn, maxWr, maxSge);
        Shared srq = driver.shared(creation.finish(new Created.Srq(1, srqn, granted, 0, reply)), request, srqn);
        objects.put(name, srq);
        out.accept("  granted " + srq.ring().capacity() + " of " + srq.ring().maxSge() + ", asked for " + granted);
        return srq;
    }

    private void makeAh(String[] words) throws RdmaException {
        Gid gid = new Gid(Long.parseUnsignedLong(words[11], 16), Long.parseUnsignedLong(words[12], 16));
        AhAttr to = new AhAttr(
                gid,
                number(words[8]),
                number(words[5]),
                number(words[6]),
                number(words[7]),
                number(words[9]),
                number(words[2]),
                number(words[10]),
                number(words[3]),
                words[4].equals("1"),
                1);
        Creation<Created.Ah, AddressVector> creation = context.addressHandle(domain, to);
        ByteBuffer reply = reply(creation.replyBytes());
        driver.answerAh(reply);
        objects.put(words[1], creation.finish(new Created.Ah(1, reply)));
    }

    private PlayedRequest request(String[] words) {
        @Nullable AddressVector address = words[10].equals("-") ? null : find(AddressVector.class, words[10]);
        return PlayedRequest.send(words, address);
    }

    /** As the verbs post: as many as there is room for, and one doorbell. */
    private void send(Pair pair) {
        SendRing ring = pair.rings().send();
        int posted = 0;
        while (posted < chain.size() && !ring.isFull()) {
            ring.put(chain.get(posted++));
        }
        out.accept("  posted " + posted + " of " + chain.size());
        chain.clear();
        if (posted > 0) {
            ring.publish();
            pair.sent().forEach(out);
            out.accept(pair.recordText());
        }
        driver.device().takeStores().forEach(out);
    }

    private void receive(String[] words) {
        Object to = Objects.requireNonNull(objects.get(words[1]), words[1]);
        boolean shared = to instanceof Shared;
        ReceiveRing ring = shared
                ? ((Shared) to).ring()
                : Objects.requireNonNull(((Pair) to).rings().receive());
        if (ring.isFull()) {
            out.accept("  full");
            return;
        }
        ring.put(PlayedRequest.receive(words));
        List<String> entries = shared ? ((Shared) to).posted() : List.of(((Pair) to).received());
        entries.forEach(out);
        out.accept(shared ? ((Shared) to).recordText() : ((Pair) to).recordText());
        driver.device().takeStores().forEach(out);
    }

    private void poll(Completions cq, int most) {
        PlayedCompletion[] completions = PlayedCompletion.array(most);
        int polled = cq.ring().poll(completions, PlayedCompletion.SINK);
        out.accept("  polled " + polled);
        for (int i = 0; i < polled; i++) {
            out.accept(text(completions[i]));
        }
        out.accept(cq.recordText());
        printPostedAgain();
        driver.device().takeStores().forEach(out);
    }

    /** A receive whose page the device did not find is posted again when its completion queue is polled. */
    private void printPostedAgain() {
        objects.forEach((name, object) -> {
            List<String> entries = object instanceof Shared srq ? srq.posted() : List.of();
            if (object instanceof Shared srq && !entries.isEmpty()) {
                entries.forEach(out);
                out.accept("  " + name + srq.recordText());
            }
        });
    }

    String text(PlayedCompletion completion) {
        return completion.text(isDatagram(completion.qpNumber()));
    }

    private boolean isDatagram(int qpNumber) {
        return objects.values().stream()
                .anyMatch(object -> object instanceof Pair pair && pair.number() == qpNumber && pair.isDatagram());
    }
}
