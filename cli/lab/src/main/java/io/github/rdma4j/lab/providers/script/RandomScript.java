// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.script;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.providers.script.RandomQueues.Capacities;
import io.github.rdma4j.lab.providers.script.RandomQueues.Cq;
import io.github.rdma4j.lab.providers.script.RandomQueues.Entry;
import io.github.rdma4j.lab.providers.script.RandomQueues.Pair;
import io.github.rdma4j.lab.providers.script.RandomQueues.Srq;
import io.github.rdma4j.lab.providers.script.RandomVerbs.End;
import io.github.rdma4j.lab.providers.script.RandomVerbs.Facts;
import io.github.rdma4j.lab.providers.script.RandomVerbs.Outcome;
import io.github.rdma4j.lab.providers.script.RandomVerbs.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Verbs at random, from a seed, and a device that completes them at random: the script is played on the provider in Java while
 * it is made, and what the provider shows the device decides what the device can complete.
 */
public final class RandomScript {
    private static final int QUEUE_PAIRS = 6;
    private static final int MOST_CHAIN = 6;
    private static final int FEW_SGE = 3;
    private static final int MOST_ENTRIES = 300;

    private final RandomVerbs verbs;
    private final Facts facts;
    private final Random random;
    private final RandomPieces pieces;
    private final List<String> script = new ArrayList<>();
    private final List<String> transcript = new ArrayList<>();
    private final Player player;
    private final List<Cq> cqs = new ArrayList<>();
    private final List<Srq> srqs = new ArrayList<>();
    private final List<Srq> xrcSrqs = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();
    private int names;

    /** Opens a device. */
    public RandomScript(Mode mode, long seed) throws RdmaException {
        this.verbs = mode.verbs();
        this.facts = verbs.facts();
        this.random = new Random(seed);
        this.pieces = new RandomPieces(random);
        this.player = new Player(mode, transcript::add);
        makeCq("A", 1 + random.nextInt(40));
        makeCq("B", 1 + random.nextInt(MOST_ENTRIES));
        if (facts.shared()) {
            makeShared();
        }
        if (facts.types().contains("ud")) {
            for (int i = 0; i < RandomPieces.ADDRESSES; i++) {
                play("ah H" + i + " " + verbs.address(random));
            }
        }
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            makePair();
        }
    }

    private void makeShared() throws RdmaException {
        for (int i = 0; i < 2; i++) {
            int sge = 1 + random.nextInt(5);
            play("srq S" + i + " " + (1 + random.nextInt(40)) + " " + sge);
            srqs.add(new Srq("S" + i, sge, null));
            if (!facts.types().contains("xrc")) {
                continue;
            }
            Cq cq = cqs.get(i);
            play("xsrq X" + i + " " + cq.name + " " + (1 + random.nextInt(40)) + " " + sge);
            xrcSrqs.add(new Srq("X" + i, sge, cq));
        }
    }

    /** The lines to play on the library in C. */
    public List<String> script() {
        return script;
    }

    /** The script with what came of it in Java. */
    public List<String> transcript() {
        return transcript;
    }

    /** Makes that many lines more. */
    public void extend(int lines) throws RdmaException {
        int end = script.size() + lines;
        while (script.size() < end) {
            step();
        }
    }

    private void step() throws RdmaException {
        int choice = random.nextInt(1000);
        Pair pair = pairs.get(random.nextInt(pairs.size()));
        if (choice < 350) {
            send(pair);
        } else if (choice < 500) {
            receive(pair);
        } else if (choice < 640) {
            completeSend(pair, Outcome.SUCCESS);
        } else if (choice < 780) {
            completeReceive(pair, false);
        } else if (choice < 920) {
            poll(cqs.get(random.nextInt(cqs.size())), random.nextInt(17));
        } else if (choice < 960) {
            play("arm " + cq() + (random.nextBoolean() ? " all" : " solicited"));
        } else if (choice < 980) {
            if (verbs.resizes() && random.nextInt(3) == 0) {
                resize(cqs.get(random.nextInt(cqs.size())));
            } else {
                play("event " + cq());
            }
        } else if (choice < 992) {
            fail(pair);
        } else {
            destroy(pair);
        }
    }

    private String cq() {
        return cqs.get(random.nextInt(cqs.size())).name;
    }

    /** Plays a line; returns what came of it. */
    private List<String> play(String line) throws RdmaException {
        int before = transcript.size();
        script.add(line);
        player.play(line);
        return transcript.subList(before + 1, transcript.size());
    }

    private void makeCq(String name, int entries) throws RdmaException {
        int granted = Integer.parseInt(
                play("cq " + name + " " + entries).get(0).trim().split(" ", -1)[1]);
        cqs.add(new Cq(name, granted));
    }

    private void makePair() throws RdmaException {
        String type = facts.types().get(random.nextInt(facts.types().size()));
        boolean xrc = type.equals("xrc");
        List<Srq> shared = xrc ? xrcSrqs : srqs;
        boolean sharing = xrc || (random.nextInt(3) == 0 && facts.shared());
        Srq srq = sharing ? shared.get(random.nextInt(shared.size())) : null;
        Cq sendCq = cqs.get(random.nextInt(cqs.size()));
        Cq receiveCq = srq != null && srq.cq != null ? srq.cq : cqs.get(random.nextInt(cqs.size()));
        Pair pair = new Pair("Q" + names++, type, sendCq, receiveCq, srq);
        int sendSge = 1 + random.nextInt(random.nextBoolean() ? FEW_SGE : facts.sendSge());
        int receiveSge = 1 + random.nextInt(facts.receiveSge());
        String line = String.join(
                " ",
                "qp",
                pair.name,
                type,
                pair.sendCq.name,
                xrc ? "-" : pair.receiveCq.name,
                srq == null || xrc ? "-" : srq.name,
                "" + (1 + random.nextInt(random.nextBoolean() ? 8 : 200)),
                "" + (srq == null ? 1 + random.nextInt(100) : 0),
                "" + sendSge,
                "" + (srq == null ? receiveSge : 0),
                "" + (random.nextBoolean() ? 0 : random.nextInt(facts.inline() + 1)),
                "" + random.nextInt(2));
        String[] granted = play(line).get(0).trim().split(" ", -1);
        pair.capacities = new Capacities(sendSge, receiveSge, Integer.parseInt(granted[5]));
        pairs.add(pair);
    }

    private void send(Pair pair) throws RdmaException {
        int chain = random.nextInt(4) == 0 ? 1 + random.nextInt(MOST_CHAIN) : 1;
        while (!facts.fillsUp() && chain > 0 && !player.hasRoom(pair.name, chain)) {
            chain--;
        }
        if (chain == 0) {
            return;
        }
        for (int i = 1; i < chain; i++) {
            play("chain " + pieces.request(verbs, pair));
        }
        for (String line : play("send " + pieces.request(verbs, pair))) {
            Sent sent = verbs.sent(line);
            if (sent != null) {
                pair.sent.add(sent);
            }
        }
    }

    private void receive(Pair pair) throws RdmaException {
        Srq srq = pair.srq;
        // libmlx5 gives an empty piece of a shared receive to the device, which takes it for one of 2 GiB.
        int fewest = srq == null ? verbs.fewestReceiveSge() : 0;
        int most = srq == null ? pair.capacities.receiveSge() : srq.sge;
        String list =
                pieces.many(fewest + random.nextInt(most - fewest + 1), srq == null ? verbs.fewestReceiveBytes() : 1);
        String to = srq == null ? pair.name : srq.name;
        boolean full = play("recv " + to + " " + (random.nextLong() >>> 1) + list)
                .get(0)
                .equals("  full");
        if (!full && srq != null) {
            srq.posted++;
        } else if (!full) {
            pair.posted++;
        }
    }

    /** Completes one of the requests of {@code pair}, and with it those before. */
    private void completeSend(Pair pair, Outcome outcome) throws RdmaException {
        End end = verbs.sendEnd(random, outcome);
        if (pair.sent.isEmpty() || pair.sendCq.isFull()) {
            return;
        }
        boolean skips = outcome == Outcome.SUCCESS;
        int completions = 0;
        for (int skip = skips ? random.nextInt(Math.min(4, pair.sent.size())) : 0; skip > 0; skip--) {
            completions += pair.sent.remove().completes() ? 1 : 0;
        }
        Sent last = pair.sent.remove();
        boolean completes = !skips || !verbs.findsEarlierSends() || last.completes();
        pair.sendCq.entries.add(new Entry(pair, completions + (completes ? 1 : 0), !completes));
        play("cqe " + pair.sendCq.name + " " + pair.name + " " + verbs.words(random, last, end));
    }

    private void completeReceive(Pair pair, boolean failed) throws RdmaException {
        End end = verbs.receiveEnd(random, pair.type, failed);
        if (pair.receiveCq.isFull()) {
            return;
        }
        Srq srq = pair.srq;
        if (srq == null && pair.received < pair.posted) {
            complete(pair, pair.receiveCq, new Sent(pair.received++ & 0xffff, 0), end);
        } else if (srq != null && srq.posted > 0 && (srq.taken.isEmpty() || random.nextInt(3) > 0)) {
            srq.posted--;
            srq.taken.add(
                    Integer.parseInt(play("take " + srq.name).get(0).trim().split(" ", -1)[1]));
        } else if (srq != null && !srq.taken.isEmpty()) {
            End ofShared = verbs.sharedEnd(random, end);
            int entry = srq.taken.remove(random.nextInt(srq.taken.size()));
            if (srq.cq == null) {
                complete(pair, pair.receiveCq, new Sent(entry, 0), ofShared);
            } else {
                completeXrc(srq, srq.cq, entry, ofShared);
            }
        }
    }

    private void complete(Pair pair, Cq cq, Sent of, End end) throws RdmaException {
        boolean nothing = end.isSilent() || (end.isPageFault() && pair.srq != null);
        cq.entries.add(new Entry(pair, nothing ? 0 : 1, false));
        play("cqe " + cq.name + " " + pair.name + " " + verbs.words(random, of, end));
    }

    /** The target may be anybody's; the entry outlives it. */
    private void completeXrc(Srq srq, Cq cq, int entry, End end) throws RdmaException {
        cq.entries.add(new Entry(new Pair("", "xrc", cq, cq, null), end.isPageFault() ? 0 : 1, false));
        play("xcqe " + cq.name + " " + srq.name + " " + verbs.xrcWords(random, entry, end));
    }

    /** Polls, and counts the receives that were posted again: their entries stand before the record of their queue. */
    private void poll(Cq cq, int most) throws RdmaException {
        cq.poll(most);
        int entries = 0;
        for (String line : play("poll " + cq.name + " " + most)) {
            if (line.startsWith("  entry ")) {
                entries++;
            } else if (entries > 0) {
                shared(line.trim().split(" ", -1)[0]).posted += entries;
                entries = 0;
            }
        }
    }

    private Srq shared(String name) {
        return Stream.concat(srqs.stream(), xrcSrqs.stream())
                .filter(srq -> srq.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A request fails, the others are flushed, and the queue pair is reset, with or without its completions polled. */
    private void fail(Pair pair) throws RdmaException {
        if (verbs.flushesReceives() && !makeRoom(pair.sendCq, pair.sent.size())) {
            return;
        }
        completeSend(pair, Outcome.FAILED);
        completeReceive(pair, true);
        if (verbs.losesFailedSends()) {
            pollUntil(pair.sendCq, () -> !pair.sendCq.has(pair));
        }
        End termination = verbs.termination();
        // libbnxt_re has no receives to flush then.
        if (termination != null && pair.srq == null && !pair.sendCq.isFull() && random.nextBoolean()) {
            complete(pair, pair.sendCq, new Sent(0, 0), termination);
        }
        if (!facts.resets()) {
            play("err " + pair.name);
        }
        boolean flushed = flush(pair);
        if (random.nextBoolean() && flushed) {
            poll(pair.sendCq, random.nextInt(60));
        }
        if (!facts.resets()) {
            destroy(pair);
            return;
        }
        takeShared(pair);
        play("reset " + pair.name);
        forget(pair);
        pair.posted = 0;
        pair.received = 0;
        pair.sent.clear();
    }

    private void pollUntil(Cq cq, BooleanSupplier done) throws RdmaException {
        while (!done.getAsBoolean()) {
            poll(cq, 1 + random.nextInt(16));
        }
    }

    /** Polls until that many entries fit: Java then has no send to flush that nobody waits for. */
    private boolean makeRoom(Cq cq, int entries) throws RdmaException {
        pollUntil(cq, () -> cq.entries.isEmpty() || cq.entries.size() + entries <= cq.most);
        return entries <= cq.most;
    }

    /** False if Java may flush what the device does not. */
    private boolean flush(Pair pair) throws RdmaException {
        boolean flushed = !verbs.flushesAtOnce() || flushAtOnce(pair);
        while (!pair.sent.isEmpty() && !pair.sendCq.isFull()) {
            completeSend(pair, Outcome.FLUSHED);
        }
        boolean receives = verbs.flushesReceives() && pair.srq == null;
        while (receives && pair.received < pair.posted && !pair.receiveCq.isFull()) {
            complete(pair, pair.receiveCq, new Sent(pair.received++ & 0xffff, 0), verbs.receiveFlush(random));
        }
        return flushed;
    }

    /** One entry flushes a queue. False without room for that of sends. */
    private boolean flushAtOnce(Pair pair) throws RdmaException {
        int sends = pair.sent.size();
        boolean room = sends == 0 || !pair.sendCq.isFull();
        if (sends > 0 && room) {
            completeSend(pair, Outcome.FLUSHED);
            pair.sendCq.repeat(sends - 1);
        }
        pair.sent.clear();
        int receives = pair.posted - pair.received;
        if (pair.srq == null && receives > 0 && !pair.receiveCq.isFull()) {
            complete(pair, pair.receiveCq, new Sent(pair.received, 0), verbs.receiveFlush(random));
            pair.receiveCq.repeat(receives - 1);
        }
        pair.received = pair.posted;
        return room;
    }

    /** Any other capacity, which the library may refuse. */
    private void resize(Cq cq) throws RdmaException {
        int drawn = 1 + random.nextInt(random.nextBoolean() ? 8 : MOST_ENTRIES);
        int asked = verbs.otherCapacity(drawn, cq.most);
        String[] words = play("resize " + cq.name + " " + asked).get(0).trim().split(" ", -1);
        if (words[0].equals("granted")) {
            cq.most = Integer.parseInt(words[1]);
        }
        if (!verbs.forgetsAfterResize()) {
            completeSome();
            pollUntil(cq, cq.entries::isEmpty);
        }
    }

    private void completeSome() throws RdmaException {
        for (int more = random.nextInt(6); more > 0; more--) {
            completeSend(pairs.get(random.nextInt(pairs.size())), Outcome.SUCCESS);
            completeReceive(pairs.get(random.nextInt(pairs.size())), false);
        }
    }

    private void destroy(Pair pair) throws RdmaException {
        takeShared(pair);
        play("destroy " + pair.name);
        forget(pair);
        pairs.remove(pair);
        makePair();
    }

    private void takeShared(Pair pair) throws RdmaException {
        if (pair.srq != null && verbs.losesSharedReceives()) {
            pollUntil(pair.receiveCq, () -> !pair.receiveCq.has(pair));
        }
    }

    private void forget(Pair pair) {
        pair.sendCq.forget(pair, facts.sweeps());
        pair.receiveCq.forget(pair, facts.sweeps());
    }
}
