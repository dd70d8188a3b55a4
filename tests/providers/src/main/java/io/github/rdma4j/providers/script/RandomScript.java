// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.RandomQueues.Capacities;
import io.github.rdma4j.providers.script.RandomQueues.Cq;
import io.github.rdma4j.providers.script.RandomQueues.Entry;
import io.github.rdma4j.providers.script.RandomQueues.Pair;
import io.github.rdma4j.providers.script.RandomQueues.Srq;
import io.github.rdma4j.providers.script.RandomVerbs.End;
import io.github.rdma4j.providers.script.RandomVerbs.Facts;
import io.github.rdma4j.providers.script.RandomVerbs.Outcome;
import io.github.rdma4j.providers.script.RandomVerbs.Sent;
import io.github.rdma4j.providers.script.RandomVerbs.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
    private static final int MOST_POLL = 64;

    /** Lines of a long life before the first that are compared: counters of 16 bits are about to wrap then. */
    private static final int UNSEEN_LINES = 70_000;

    private final RandomVerbs verbs;
    private final Facts facts;
    private final Random random;
    private final RandomPieces pieces;
    private final RandomFailures failures;
    private final Life life;
    private final List<String> script = new ArrayList<>();
    private final List<String> transcript = new ArrayList<>();
    private final Player player;
    private final List<Cq> cqs = new ArrayList<>();
    private final List<Srq> srqs = new ArrayList<>();
    private final List<Srq> xrcSrqs = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();
    private List<String> accepted = List.of();
    private boolean quiet;
    private int names;

    /** What the queue pairs of a script are like. */
    public enum Life {
        /** Many queue pairs of all sizes, which fail and go. */
        SHORT,

        /** One queue pair of short queues, which hardly ever fails: its rings go round, and its counters wrap. */
        LONG
    }

    /** Opens a device for a script of short lives. */
    public RandomScript(Mode mode, long seed) throws RdmaException {
        this(mode, seed, Life.SHORT);
    }

    /** Opens a device. */
    public RandomScript(Mode mode, long seed, Life life) throws RdmaException {
        this.verbs = mode.verbs();
        this.facts = verbs.facts();
        this.life = life;
        this.random = new Random(seed);
        this.pieces = new RandomPieces(random);
        this.failures = new RandomFailures(this, verbs, random);
        this.player = new Player(mode, transcript::add);
        play(QueueNumbers.line(random, facts.numberBits()));
        makeCq("A", (life == Life.LONG ? 8 : 1) + random.nextInt(40));
        makeCq("B", (life == Life.LONG ? 8 : 1) + random.nextInt(MOST_ENTRIES));
        if (verbs.has(Trait.SHARED)) {
            makeShared();
        }
        if (facts.types().contains("ud")) {
            for (int i = 0; i < RandomPieces.ADDRESSES; i++) {
                play("ah H" + i + " " + verbs.address(random));
            }
        }
        for (int i = 0; i < (life == Life.LONG ? 1 : QUEUE_PAIRS); i++) {
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
        if (life == Life.LONG && verbs.has(Trait.COUNTS_IN_16_BITS) && random.nextBoolean()) {
            play("quiet on");
            extendTo(script.size() + UNSEEN_LINES + random.nextInt(UNSEEN_LINES));
            play("quiet off");
        }
        extendTo(script.size() + lines);
    }

    private void extendTo(int end) throws RdmaException {
        while (script.size() < end) {
            step();
        }
    }

    private void step() throws RdmaException {
        int choice = random.nextInt(life == Life.LONG && random.nextInt(20) != 0 ? 980 : 1000);
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
            if (verbs.has(Trait.RESIZES) && random.nextInt(3) == 0) {
                resize(cqs.get(random.nextInt(cqs.size())));
            } else {
                play("event " + cq());
            }
        } else if (choice < 992) {
            failures.fail(pair);
        } else if (life == Life.SHORT) {
            destroy(pair);
        }
    }

    Pair anyPair() {
        return pairs.get(random.nextInt(pairs.size()));
    }

    private String cq() {
        return cqs.get(random.nextInt(cqs.size())).name;
    }

    /** Plays a line; returns what came of it. What is quiet is not compared. */
    List<String> play(String line) throws RdmaException {
        int before = transcript.size();
        script.add(line);
        player.play(line);
        List<String> outcome = List.copyOf(transcript.subList(before + 1, transcript.size()));
        if (quiet) {
            transcript.subList(before, transcript.size()).clear();
        }
        quiet = line.equals("quiet on") || (quiet && !line.equals("quiet off"));
        return outcome;
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
        boolean sharing = xrc || (random.nextInt(3) == 0 && verbs.has(Trait.SHARED));
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
                "" + (1 + random.nextInt(life == Life.LONG || random.nextBoolean() ? 8 : 200)),
                "" + (srq == null ? 1 + random.nextInt(life == Life.LONG ? 8 : 100) : 0),
                "" + sendSge,
                "" + (srq == null ? receiveSge : 0),
                "" + (random.nextBoolean() ? 0 : random.nextInt(facts.inline() + 1)),
                "" + random.nextInt(2));
        String[] granted = play(line).get(0).trim().split(" ", -1);
        pair.capacities = new Capacities(sendSge, receiveSge, Integer.parseInt(granted[5]));
        pairs.add(pair);
    }

    void send(Pair pair) throws RdmaException {
        int chain = random.nextInt(4) == 0 ? 1 + random.nextInt(MOST_CHAIN) : 1;
        while (!verbs.has(Trait.FILLS_UP) && chain > 0 && !player.hasRoom(pair.name, chain)) {
            chain--;
        }
        accepted = List.of();
        if (chain == 0) {
            return;
        }
        List<String> ids = new ArrayList<>();
        for (int i = 1; i < chain; i++) {
            String request = pieces.request(verbs, pair);
            ids.add(word(request, 1));
            play("chain " + request);
        }
        String last = pieces.request(verbs, pair);
        ids.add(word(last, 1));
        List<String> outcome = play("send " + last);
        accepted = ids.subList(0, Integer.parseInt(word(outcome.get(0).trim(), 1)));
        for (String line : outcome) {
            Sent sent = verbs.sent(line);
            if (sent != null) {
                pair.sent.add(sent);
            }
        }
    }

    /** The numbers of the requests that the call before took. */
    List<String> accepted() {
        return accepted;
    }

    private static String word(String line, int index) {
        return line.split(" ", -1)[index];
    }

    void receive(Pair pair) throws RdmaException {
        Srq srq = pair.srq;
        // libmlx5 gives an empty piece of a shared receive to the device, which takes it for one of 2 GiB.
        int fewest = srq == null && verbs.has(Trait.RECEIVES_NEED_A_PIECE) ? 1 : 0;
        int most = srq == null ? pair.capacities.receiveSge() : srq.sge;
        String list = pieces.many(
                fewest + random.nextInt(most - fewest + 1),
                srq == null && !verbs.has(Trait.RECEIVES_NEED_BYTES) ? 0 : 1);
        String to = srq == null ? pair.name : srq.name;
        long id = random.nextLong() >>> 1;
        boolean full = play("recv " + to + " " + id + list).get(0).equals("  full");
        accepted = full ? List.of() : List.of(String.valueOf(id));
        if (!full && srq != null) {
            srq.posted++;
        } else if (!full) {
            pair.posted++;
        }
    }

    /** Completes one of the requests of {@code pair}, and with it those before. */
    void completeSend(Pair pair, Outcome outcome) throws RdmaException {
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
        boolean completes = !skips || !verbs.has(Trait.FINDS_EARLIER_SENDS) || last.completes();
        pair.sendCq.entries.add(new Entry(pair, completions + (completes ? 1 : 0), !completes));
        play("cqe " + pair.sendCq.name + " " + pair.name + " " + verbs.words(random, last, end));
    }

    void completeReceive(Pair pair, boolean failed) throws RdmaException {
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

    void complete(Pair pair, Cq cq, Sent of, End end) throws RdmaException {
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
    void poll(Cq cq, int most) throws RdmaException {
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

    /** Polls for more than there is; returns what came of it. */
    List<String> pollAll(Cq cq) throws RdmaException {
        cq.entries.clear();
        return play("poll " + cq.name + " " + MOST_POLL);
    }

    private Srq shared(String name) {
        return Stream.concat(srqs.stream(), xrcSrqs.stream())
                .filter(srq -> srq.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Any other capacity, which the library may refuse. */
    private void resize(Cq cq) throws RdmaException {
        completeSome();
        int drawn = 1 + random.nextInt(random.nextBoolean() ? 8 : MOST_ENTRIES);
        int asked = verbs.otherCapacity(drawn, cq.most);
        String[] words = play("resize " + cq.name + " " + asked).get(0).trim().split(" ", -1);
        if (words[0].equals("granted")) {
            cq.most = Integer.parseInt(words[1]);
        }
        if (!verbs.has(Trait.FORGETS_AFTER_RESIZE)) {
            completeSome();
            failures.pollUntil(cq, cq.entries::isEmpty);
        }
    }

    private void completeSome() throws RdmaException {
        for (int more = random.nextInt(6); more > 0; more--) {
            completeSend(pairs.get(random.nextInt(pairs.size())), Outcome.SUCCESS);
            completeReceive(pairs.get(random.nextInt(pairs.size())), false);
        }
    }

    void destroy(Pair pair) throws RdmaException {
        takeShared(pair);
        play("destroy " + pair.name);
        forget(pair);
        pairs.remove(pair);
        makePair();
    }

    void takeShared(Pair pair) throws RdmaException {
        if (pair.srq != null && verbs.has(Trait.LOSES_SHARED_RECEIVES)) {
            failures.pollUntil(pair.receiveCq, () -> !pair.receiveCq.has(pair));
        }
    }

    void forget(Pair pair) {
        pair.sendCq.forget(pair, verbs.has(Trait.SWEEPS));
        pair.receiveCq.forget(pair, verbs.has(Trait.SWEEPS));
    }
}
